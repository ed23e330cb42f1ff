#include "command.h"

int command_schedule_trace(const struct invocation *invocation)
{
    (void)invocation;
    return STATUS_FAILED;
}
