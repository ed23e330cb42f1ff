/*
 * Addresses of central stores, looked at before libpq sees them. A password in one is refused in every way of
 * writing it that libpq reads, and so is what libpq would read in another way than it looks: an @ behind the
 * first slash turns what was meant as a password into a port or a database, which messages repeat.
 */
#include <quiztutor/central.h>

#include <quiztutor/message.h>
#include <string.h>
#include <strings.h>

enum { ADDRESS_LONGEST = 2000 };

static const char *const schemes[] = { "postgresql://", "postgres://" };

/* What follows the scheme, or NULL. */
static const char *behind_scheme(const char *text, bool any_case)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t length = strlen(schemes[i]);
        if (any_case ? strncasecmp(text, schemes[i], length) == 0 : strncmp(text, schemes[i], length) == 0)
            return text + length;
    }
    return NULL;
}

bool central_is_address(const char *text)
{
    return behind_scheme(text, true) != NULL;
}

static int digit(char c)
{
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c | (c >= 'A' ? 0x20 : 0)) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* The parts of an address, in the text as it was given; lengths in bytes. */
struct parts {
    const char *user, *hosts, *path, *query;
    size_t user_length, hosts_length, path_length;
};

static void split(const char *rest, struct parts *parts)
{
    size_t authority = strcspn(rest, "/?");
    *parts = (struct parts){ .user = rest, .hosts = rest, .hosts_length = authority };
    const char *at = memrchr(rest, '@', authority);
    if (at) {
        parts->user_length = (size_t)(at - rest);
        parts->hosts = at + 1;
        parts->hosts_length = authority - parts->user_length - 1;
    }
    parts->path = rest + authority;
    parts->path_length = strcspn(parts->path, "?");
    const char *query = parts->path + parts->path_length;
    parts->query = *query ? query + 1 : query;
}

/* Whether the text holds the character, as it is or by its number (%3A). */
static bool holds(const char *text, size_t length, char wanted)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == wanted)
            return true;
        if (text[i] == '%' && i + 2 < length && digit(text[i + 1]) * 16 + digit(text[i + 2]) == wanted)
            return true;
    }
    return false;
}

/* Ports are numbers: what else follows a colon is a password whose @ was forgotten, or stands elsewhere. */
static bool hosts_are_good(const char *hosts, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (hosts[i] == '[') {
            const char *end = memchr(hosts + i, ']', length - i);
            if (!end)
                return false;
            i = (size_t)(end - hosts);
        } else if (hosts[i] == ':') {
            size_t digits = strspn(hosts + i + 1, "0123456789");
            if (digits > 5 || (i + 1 + digits < length && hosts[i + 1 + digits] != ','))
                return false;
            i += digits;
        }
    }
    return true;
}

/* The name of a parameter, read as libpq does, in small letters: "" where it is too long to be one that
 * matters. */
static void read_name(const char *text, size_t length, char *name, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < room; i++) {
        char c = text[i];
        if (c == '%' && i + 2 < length && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
            c = (char)(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        }
        name[used++] = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
    }
    name[used] = '\0';
}

static bool query_has_password(const char *query, bool *odd)
{
    while (*query) {
        char name[32];
        size_t whole = strcspn(query, "&");
        const char *equals = memchr(query, '=', whole);
        *odd = *odd || !equals; /* libpq would repeat it in its message */
        read_name(query, equals ? (size_t)(equals - query) : whole, name, sizeof name);
        /* not passfile, which is a path */
        if (strstr(name, "passw") || strstr(name, "passphrase") || strcmp(name, "pwd") == 0)
            return true;
        query += whole;
        query += *query == '&';
    }
    return false;
}

bool central_address_check(const char *address, struct error *error)
{
    const char *rest = behind_scheme(address, false);
    struct parts parts;
    if (!rest || strlen(address) > ADDRESS_LONGEST)
        return error_set(
            error, ERROR_INPUT,
            tr("a central store is named like postgresql://ROLE@HOST/DATABASE, in small letters"));
    split(rest, &parts);
    bool odd = strchr(parts.path, '@') || !hosts_are_good(parts.hosts, parts.hosts_length);
    bool password = holds(parts.user, parts.user_length, ':') || query_has_password(parts.query, &odd);
    if (password || (odd && strchr(rest, '@')))
        return error_set(
            error, ERROR_INPUT,
            tr("there is a password in the address, or what looks like one: everybody on this "
               "machine could read it; keep it in ~/.pgpass or a service file, and leave it out"));
    for (const char *c = address; *c; c++)
        odd = odd || (unsigned char)*c <= ' ' || *c == 0x7f || *c == '#';
    if (odd)
        return error_set(error, ERROR_INPUT,
                         tr("the address of the central store can't be read; it is written like "
                            "postgresql://ROLE@HOST:PORT/DATABASE, with %%40 for an @ in a name"));
    return true;
}

void central_address_say(struct buffer *out, const char *address)
{
    struct parts parts;
    const char *rest = behind_scheme(address, false);
    if (!rest || !central_address_check(address, NULL)) {
        buffer_text(out, "postgresql://");
        return;
    }
    split(rest, &parts);
    buffer_add(out, address, rest - address);
    buffer_add(out, rest, parts.path + parts.path_length - rest);
    const char *service = strstr(parts.query, "service=");
    if (service && (service == parts.query || service[-1] == '&')) {
        buffer_char(out, '?');
        buffer_add(out, service, (ptrdiff_t)strcspn(service, "&"));
    }
}
