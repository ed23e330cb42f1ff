/* The readers and writers that need a library, for the second program. */
#include <quiztutor/exchange.h>

#include <stddef.h>

static const struct {
    enum exchange_format format;
    struct exchange_part part;
} heavy[] = {
#ifdef WITH_XML
    { EXCHANGE_QTI12, { qti_read, qti12_write } },
#ifdef WITH_ZIP
    { EXCHANGE_QTI21, { qti_read, qti21_write } },
#else
    { EXCHANGE_QTI21, { qti_read, NULL } },
#endif
    { EXCHANGE_QTI30, { qti_read, NULL } },
    { EXCHANGE_MOODLE_XML, { moodle_xml_read, moodle_xml_write } },
#endif
#ifdef WITH_ZIP
    { EXCHANGE_APKG, { apkg_read, NULL } },
#endif
    { EXCHANGE_FORMATS, { NULL, NULL } },
};

void exchange_add_heavy(void)
{
    for (size_t i = 0; heavy[i].format != EXCHANGE_FORMATS; i++)
        exchange_add(heavy[i].format, &heavy[i].part);
}
