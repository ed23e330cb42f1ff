#include "command.h"

int command_schedule_fit(const struct invocation *invocation)
{
    (void)invocation;
    return STATUS_FAILED;
}
