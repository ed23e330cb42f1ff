#include "command.h"

int command_schedule_show(const struct invocation *invocation)
{
    (void)invocation;
    return STATUS_FAILED;
}
