#include "command.h"

int command_store_check(const struct invocation *invocation)
{
    (void)invocation;
    return STATUS_FAILED;
}

int command_store_rebuild(const struct invocation *invocation)
{
    (void)invocation;
    return STATUS_FAILED;
}
