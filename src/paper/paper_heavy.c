/* What of paper takes pango and cairo; nothing where it was built without them. */
#include <quiztutor/sheet.h>

void sheet_add_press(void)
{
}
