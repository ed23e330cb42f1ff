/* What of paper takes pango and cairo; nothing where it was built without them. */
#include <quiztutor/sheet.h>

#ifdef WITH_PDF
#include "sheet_pdf.h"
#endif

void sheet_add_press(void)
{
#ifdef WITH_PDF
    sheet_set_press(&sheet_pdf_press);
#endif
}
