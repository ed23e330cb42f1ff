/* The learner's own screen in plain lines: the numbers of the bars as words, and no bars, which a screen
 * reader would spell out. Days and topics with nothing to tell are counted rather than listed. */
#include <quiztutor/message.h>
#include <quiztutor/plain.h>

static void progress_streak(struct buffer *out, const struct progress_model *progress)
{
    if (!progress->longest) {
        buffer_print(out, "%s\n", tr("No day of practice yet."));
        return;
    }
    if (progress->streak)
        buffer_print(out,
                     ntr("%d day of practice in a row.", "%d days of practice in a row.", progress->streak),
                     progress->streak);
    else
        buffer_text(out, tr("No day of practice today or yesterday."));
    buffer_char(out, ' ');
    buffer_print(out, ntr("The longest: %d day.", "The longest: %d days.", progress->longest),
                 progress->longest);
    buffer_char(out, '\n');
}

static void progress_coming(struct buffer *out, const struct progress_model *progress)
{
    int empty = 0;
    buffer_print(out, "\n%s\n", tr("Due today and in the next 14 days:"));
    for (int i = 0; i <= PROGRESS_DAYS; i++) {
        const struct progress_day *day = &progress->coming[i];
        empty += !day->due;
        if (day->due)
            buffer_print(out, i ? "  %s: %d\n" : tr("  %s, today: %d\n"), day->label, day->due);
    }
    if (empty > PROGRESS_DAYS)
        buffer_print(out, "  %s\n", tr("nothing"));
    else if (empty)
        buffer_print(out, ntr("  nothing on the %d other day\n", "  nothing on the %d other days\n", empty),
                     empty);
}

static void progress_past(struct buffer *out, const struct progress_model *progress)
{
    int empty = 0;
    if (!progress->day_count)
        return;
    buffer_print(out, "\n%s\n", tr("Days of practice:"));
    for (int i = progress->day_count; i-- > 0;) {
        const struct progress_day *day = &progress->past[i];
        empty += !day->answered;
        if (!day->answered)
            continue;
        buffer_print(out, "  %s: ", day->label);
        buffer_print(out, tr("%d answered, %d right"), day->answered, day->right);
        buffer_text(out, ", ");
        buffer_print(out, ntr("%d minute", "%d minutes", day->minutes), day->minutes);
        buffer_char(out, '\n');
    }
    if (empty)
        buffer_print(out,
                     ntr("  no practice on %d day of the last %d\n",
                         "  no practice on %d days of the last %d\n", empty),
                     empty, progress->day_count);
}

static void progress_topics(struct buffer *out, const struct progress_model *progress)
{
    int begun = 0, count = progress->topic_count;
    while (begun < count && progress->topics[begun].seen)
        begun++;
    if (!count)
        return;
    buffer_print(out, "\n%s\n", tr("Topics, the least mastered first:"));
    for (int i = 0; i < begun; i++) {
        const struct progress_topic *topic = &progress->topics[i];
        buffer_print(out, "  %s: ", topic->name);
        buffer_print(out, tr("%d of %d mastered, %d seen"), topic->mastered, topic->questions, topic->seen);
        buffer_char(out, '\n');
    }
    if (begun < count)
        buffer_print(out, ntr("  %d topic not begun: ", "  %d topics not begun: ", count - begun),
                     count - begun);
    for (int i = begun; i < count; i++)
        buffer_print(out, "%s%s", progress->topics[i].name, i + 1 < count ? ", " : "\n");
}

void plain_progress(struct buffer *out, const struct progress_model *progress)
{
    buffer_print(out, tr("Progress of %s"), progress->learner);
    buffer_print(out, "\n%s\n", progress->next);
    if (progress->command)
        buffer_print(out, "%s\n", progress->command);
    buffer_char(out, '\n');
    progress_streak(out, progress);
    progress_coming(out, progress);
    progress_past(out, progress);
    progress_topics(out, progress);
}
