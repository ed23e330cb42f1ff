/*
 * What a kiosk is told by its files: kiosk.yaml, and those of the folder kiosk.d beside it by the byte order
 * of their names, of which a later one's key replaces an earlier one's, while exams add up. One table of rows
 * says all keys; the manual is tested against it. A configuration is loaded whole or not at all, into a new
 * struct, and never changes; so are the packs that it names. A watch remembers what was looked at for either,
 * and tells cheaply whether it is to be read anew.
 */
#ifndef QUIZTUTOR_KIOSK_CONFIG_H
#define QUIZTUTOR_KIOSK_CONFIG_H

#include <quiztutor/clock.h>
#include <quiztutor/pack.h>
#include <quiztutor/settings.h>

#define KIOSK_CONFIG "/etc/quiztutor/kiosk.yaml"

enum {
    KIOSK_FILES = 100,    /* files in kiosk.d, at most */
    KIOSK_LISTED = 1000,  /* items of a list: packs, groups, folders, exams */
    KIOSK_WELCOME = 2000, /* bytes of the welcome text */
};

enum kiosk_key {
    KIOSK_KEY_FORMAT,
    KIOSK_KEY_WELCOME,
    KIOSK_KEY_STORE,
    KIOSK_KEY_CONTENT,
    KIOSK_KEY_PACKS,
    KIOSK_KEY_PRACTICE,
    KIOSK_KEY_GROUPS,
    KIOSK_KEY_ROSTER,
    KIOSK_KEY_COMPLETION,
    KIOSK_KEY_PIN,
    KIOSK_KEY_IDLE,
    KIOSK_KEY_COUNTDOWN,
    KIOSK_KEY_TUTOR_CODE,
    KIOSK_KEY_LANGUAGE,
    KIOSK_KEY_THEME,
    KIOSK_KEY_SIGNS,
    KIOSK_KEY_PLAIN,
    KIOSK_KEY_CERTAINTY,
    KIOSK_KEY_NEW_PER_DAY,
    KIOSK_KEY_DAY_STARTS,
    KIOSK_KEY_BACKUPS,
    KIOSK_KEY_EXAMS,
    KIOSK_KEYS, /* those above stand at the top of a file; those below in one of them */
    KIOSK_KEY_BACKUPS_FOLDER = KIOSK_KEYS,
    KIOSK_KEY_BACKUPS_KEEP,
    KIOSK_KEY_BACKUPS_EVERY,
    KIOSK_KEY_EXAM_PACK,
    KIOSK_KEY_EXAM_FROM,
    KIOSK_KEY_EXAM_UNTIL,
    KIOSK_KEY_EXAM_MINUTES,
    KIOSK_KEY_EXAM_GROUPS,
    KIOSK_ROWS,
};

enum kiosk_shape {
    KIOSK_SHAPE_VALUE,  /* one value of the setting's kind */
    KIOSK_SHAPE_WORD,   /* one of its words, kept as text */
    KIOSK_SHAPE_TEXT,   /* of several lines */
    KIOSK_SHAPE_LIST,   /* one value or a list of them */
    KIOSK_SHAPE_ID,     /* of a pack */
    KIOSK_SHAPE_IDS,    /* one or a list of them */
    KIOSK_SHAPE_MOMENT, /* 2026-12-01 09:00, local time */
    KIOSK_SHAPE_FORMAT,
    KIOSK_SHAPE_SECRET,  /* as `quiztutor kiosk --code` prints it */
    KIOSK_SHAPE_MAPPING, /* of the keys below it */
    KIOSK_SHAPE_EXAMS,   /* a list of such mappings */
};

struct kiosk_row {
    enum kiosk_key below; /* whose part it is; KIOSK_ROWS: stands at the top */
    bool needed;
    enum kiosk_shape shape;
    const struct setting_row *setting; /* name, kind, default, words, range, help: as of the settings */
    ptrdiff_t offset;                  /* of the target in its struct below */
};
extern const struct kiosk_row kiosk_rows[KIOSK_ROWS];

/* A text and where it stands, for what is found out only later. */
struct kiosk_name {
    const char *text, *file;
    const char *key; /* what it is compared by: of a group, as the roster does; else the text itself */
    int line, column, end_column;
};
struct kiosk_names {
    const struct kiosk_name *items;
    int count;
};

enum kiosk_roster { KIOSK_ROSTER_CLOSED, KIOSK_ROSTER_OPEN };
enum kiosk_pin { KIOSK_PIN_ROSTER /* asked where one is set */, KIOSK_PIN_REQUIRED, KIOSK_PIN_NONE };

struct kiosk_backups {
    const char *folder; /* NULL: none are made */
    int keep, hours;
};

struct kiosk_exam {
    struct kiosk_name pack;
    int64_t from, until;       /* ms since 1970; it is open from the first until just before the second */
    int minutes;               /* 0: as the pack says */
    struct kiosk_names groups; /* none: for all who may sign in */
};

struct kiosk_config {
    struct arena arena;
    const char *path;    /* of kiosk.yaml, from / on */
    const char *welcome; /* paragraphs parted by one blank line, or NULL */
    const char *store;
    struct kiosk_names content; /* folders, in the order of precedence */
    struct kiosk_names packs;   /* ids; none: all packs of the folders but those of exams */
    struct kiosk_names groups;  /* who may sign in; none: all learners */
    bool practice, completion, plain, certainty;
    int roster, pin;             /* enum kiosk_roster, kiosk_pin */
    int idle, countdown;         /* minutes without a key; seconds after that */
    const char *tutor_code;      /* secret_fits judges it; NULL: there is none */
    const char *language;        /* of the catalogues; NULL: the machine's */
    int theme, signs;            /* places of the words in setting_rows */
    int new_per_day, day_starts; /* day_starts: minutes after midnight */
    struct kiosk_backups backups;
    const struct kiosk_exam *exams; /* in the order of the files */
    int exam_count;
};

/* What was looked at: a file or folder each, with what the file system said of it. */
struct kiosk_watch;

/*
 * Reads path (relative: to the working folder) and the folder beside it: "/etc/quiztutor/kiosk.yaml" goes
 * with "/etc/quiztutor/kiosk.d". Only regular files of at most 1 MiB are read, never a link, and nothing
 * waits. False with diagnostics in `list`, or with *error where it is not about content: ERROR_NOT_FOUND,
 * ERROR_IO, ERROR_BUSY (files kept changing while they were read), ERROR_MEMORY. Local times are told by the
 * clock. *watch is set in either case, but for ERROR_MEMORY; the caller destroys both.
 */
bool kiosk_config_load(struct kiosk_config **config, struct kiosk_watch **watch, const char *path,
                       const struct clock *clock, struct diagnostics *list, struct error *error);
void kiosk_config_destroy(struct kiosk_config *config);

/* Whether a learner of these groups may sign in (compared as the roster does, in any case). */
bool kiosk_config_admits(const struct kiosk_config *config, const char *const *groups, int count);

/* Whether the exam is open at this moment to a learner of these groups. */
bool kiosk_exam_open(const struct kiosk_exam *exam, int64_t now, const char *const *groups, int count);

/*
 * True when something that was looked at has come, gone, been written or been replaced: then read it anew.
 * Costs a system call for each file. A file that was written within the last seconds before it was read is
 * read once more later, since its time might not tell two changes apart. NULL: true.
 */
bool kiosk_watch_changed(const struct kiosk_watch *watch);
void kiosk_watch_destroy(struct kiosk_watch *watch);

/* The packs of a kiosk, one whole set; they live until kiosk_packs_destroy. */
struct kiosk_pack {
    struct pack *pack;
    bool practice; /* `packs` names it, or names none and no exam is about it */
};
struct kiosk_packs {
    struct kiosk_pack *items; /* in the order of `packs`, else of the folders; then those of exams only */
    ptrdiff_t count;
};

/*
 * All that the configuration needs, or false: then diagnostics say what is wrong, each at its place in a pack
 * or in the configuration (a pack that is not there), or *error where it is not about content. A set that
 * changed while it was read is read again. *watch as above.
 */
bool kiosk_packs_load(struct kiosk_packs **packs, struct kiosk_watch **watch,
                      const struct kiosk_config *config, struct diagnostics *list, struct error *error);
void kiosk_packs_destroy(struct kiosk_packs *packs);

/* The pack with this id, NULL where there is none. */
const struct pack *kiosk_packs_find(const struct kiosk_packs *packs, const char *id);

#endif
