#include "slip.h"

#include <quiztutor/message.h>

#include <string.h>

void slip_report(struct report *report, const struct slip_case *slip)
{
    report_error(report, &slip->problem_place, "yaml", NULL, "%s", slip->problem ? slip->problem : "");
}
