#include "postgres_array.h"

#include <endian.h>
#include <string.h>

/* Of pg_type: these numbers are part of the protocol, and don't change. */
static const struct {
    Oid of, array;
    const char *type;
} elements[POSTGRES_ELEMENTS] = {
    [POSTGRES_INTEGER] = { 20, 1016, "bigint[]" }, [POSTGRES_REAL] = { 701, 1022, "double precision[]" },
    [POSTGRES_TEXT] = { 25, 1009, "text[]" },      [POSTGRES_ID] = { 2950, 2951, "uuid[]" },
    [POSTGRES_BYTES] = { 17, 1001, "bytea[]" },
};

/* Dimensions, whether there are nulls, the element's type; of the one dimension how many, and from where they
 * are counted. */
enum { HEADER = 5 };

static void add_number(struct buffer *bytes, int32_t number)
{
    uint32_t big = htobe32((uint32_t)number);
    buffer_add(bytes, (const char *)&big, sizeof big);
}

void postgres_array_clear(struct postgres_array *array)
{
    array->count = 0;
    buffer_clear(&array->bytes);
    for (int i = 0; i < HEADER; i++)
        add_number(&array->bytes, 0);
}

void postgres_array_init(struct postgres_array *array, enum postgres_element element)
{
    array->element = element;
    buffer_init(&array->bytes);
    postgres_array_clear(array);
}

void postgres_array_finish(struct postgres_array *array)
{
    buffer_finish(&array->bytes);
}

static void add(struct postgres_array *array, const void *data, ptrdiff_t length)
{
    add_number(&array->bytes, (int32_t)length);
    buffer_add(&array->bytes, data, length);
    array->count++;
}

void postgres_array_null(struct postgres_array *array)
{
    add_number(&array->bytes, -1);
    array->count++;
}

void postgres_array_integer(struct postgres_array *array, int64_t value)
{
    uint64_t big = htobe64((uint64_t)value);
    add(array, &big, sizeof big);
}

void postgres_array_real(struct postgres_array *array, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = htobe64(bits);
    add(array, &bits, sizeof bits);
}

void postgres_array_text(struct postgres_array *array, const char *text)
{
    if (text)
        add(array, text, (ptrdiff_t)strlen(text));
    else
        postgres_array_null(array);
}

void postgres_array_uuid(struct postgres_array *array, const struct uuid *uuid)
{
    add(array, uuid->bytes, sizeof uuid->bytes);
}

void postgres_array_hash(struct postgres_array *array, const struct hash *hash)
{
    static const struct hash zero;
    if (memcmp(hash, &zero, sizeof zero) == 0)
        postgres_array_null(array);
    else
        add(array, hash->bytes, sizeof hash->bytes);
}

const char *postgres_array_type(enum postgres_element element)
{
    return elements[element].type;
}

bool postgres_put_array(struct postgres_values *values, struct postgres_array *array, struct error *error)
{
    const int32_t header[HEADER] = { array->count > 0, 1, (int32_t)elements[array->element].of, array->count,
                                     1 };
    int i = values->count;
    if (array->bytes.failed || array->bytes.length > INT32_MAX || i == POSTGRES_VALUES)
        return error_memory(error);
    for (int k = 0; k < HEADER; k++) {
        uint32_t big = htobe32((uint32_t)header[k]);
        memcpy(array->bytes.data + k * (ptrdiff_t)sizeof big, &big, sizeof big);
    }
    values->types[i] = elements[array->element].array;
    values->data[i] = buffer_get(&array->bytes);
    /* an empty one has no dimension */
    values->lengths[i] = array->count ? (int)array->bytes.length : 3 * (int)sizeof *header;
    values->formats[i] = 1;
    values->count = i + 1;
    return true;
}
