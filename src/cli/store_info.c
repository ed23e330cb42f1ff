#include "command.h"

int command_store_info(const struct invocation *invocation)
{
    (void)invocation;
    return STATUS_FAILED;
}
