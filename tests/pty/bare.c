#include "bare.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define ANSWER(number)     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number))
#define LOAD(member)       BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define UNLESS(value, far) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (far))

bool bare_kernel(void)
{
    /* of a process's attributes two are answered: a filter can't be had, and that it can't be looked into is
     * taken for done */
    struct sock_filter filter[] = {
        LOAD(nr),           UNLESS(SYS_landlock_create_ruleset, 1),
        ANSWER(EOPNOTSUPP), UNLESS(SYS_seccomp, 1),
        ANSWER(EINVAL),     UNLESS(SYS_prctl, 5),
        LOAD(args[0]),      UNLESS(PR_SET_SECCOMP, 1),
        ANSWER(EINVAL),     UNLESS(PR_SET_DUMPABLE, 1),
        ANSWER(0),          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}
