/*
 * Writes one of the samples to standard output: report_sample bare|full|details|charts|ROWS
 * text|csv|json|html|pdf [COLUMNS [ascii|styles]]. Tests in other languages look at what comes out.
 */
#include "samples.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool put(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    if (fwrite(text, 1, (size_t)length, context) == (size_t)length)
        return true;
    return error_set(error, ERROR_IO, "can't write");
}

int main(int count, char **arguments)
{
    static const char *const formats[] = { "text", "csv", "json", "html", "pdf" };
    struct report_look look = { .columns = count > 3 ? atoi(arguments[3]) : 0 };
    struct report_sink sink = { put, stdout };
    struct sample_stream stream;
    struct report report;
    struct error error;
    message_start();
    report_add_pdf();
    if (count < 3)
        return 2;
    if (strcmp(arguments[1], "bare") == 0) {
        sample_bare(&report);
    } else if (strcmp(arguments[1], "full") == 0 || strcmp(arguments[1], "details") == 0) {
        sample_full(&report);
        report.details = arguments[1][0] == 'd';
    } else if (strcmp(arguments[1], "charts") == 0) {
        sample_charts(&report);
    } else {
        sample_streaming(&stream, atoll(arguments[1]), false);
        report = stream.report;
    }
    look.ascii = count > 4 && strcmp(arguments[4], "ascii") == 0;
    look.styles = count > 4 && strcmp(arguments[4], "styles") == 0;
    for (int i = 0; i < REPORT_TO; i++)
        if (strcmp(arguments[2], formats[i]) == 0) {
            if (report_write(&report, (enum report_to)i, &look, &sink, &error) && fflush(stdout) == 0)
                return 0;
            fprintf(stderr, "report_sample: %s\n", error.message);
            return 1;
        }
    return 2;
}
