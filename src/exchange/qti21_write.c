/* A QTI 2.1 package: an item for each question, a test that puts them in sections, the manifest. */
#include "qti21_write.h"

#include "archive.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <stdio.h>
#include <string.h>

struct package {
    struct qti21 qti;
    struct archive_writer *archive;
    struct buffer document;
    bool *written; /* of each question: it has a document */
};

static void item_name(char path[static QTI21_NAME + 16], const struct question *question)
{
    char name[QTI21_NAME];
    qti21_identifier(name, question->id);
    snprintf(path, QTI21_NAME + 16, "items/%s.xml", name);
}

static void put_items(struct package *package)
{
    const struct pack *pack = package->qti.export->pack;
    for (int i = 0; i < pack->question_count; i++) {
        const struct question *question = export_instance(package->qti.export, &pack->questions[i]);
        char path[QTI21_NAME + 16];
        buffer_clear(&package->document);
        package->written[i] =
            question && qti21_item(&package->qti, &package->document, question, &pack->questions[i]);
        if (!package->written[i])
            continue;
        item_name(path, question);
        archive_write_add(package->archive, path, buffer_get(&package->document), package->document.length);
    }
}

static void open_section(struct xml_write *xml, const struct section *section, int number)
{
    char text[32];
    snprintf(text, sizeof text, "section%d", number);
    xml_write_open(xml, "assessmentSection");
    xml_write_attribute(xml, "identifier", text);
    xml_write_attribute(xml, "title", section ? section->title : "");
    xml_write_attribute(xml, "visible", section ? "true" : "false");
}

static void put_test(struct package *package)
{
    const struct pack *pack = package->qti.export->pack;
    struct xml_write *xml = &package->qti.xml;
    int section = 0;
    buffer_clear(&package->document);
    xml_write_begin(xml, &package->document);
    xml_write_open(xml, "assessmentTest");
    xml_write_attribute(xml, "xmlns", "http://www.imsglobal.org/xsd/imsqti_v2p1");
    xml_write_attribute(xml, "identifier", "test");
    xml_write_attribute(xml, "title", pack->title);
    xml_write_open(xml, "testPart");
    xml_write_attribute(xml, "identifier", "part");
    xml_write_attribute(xml, "navigationMode", "nonlinear");
    xml_write_attribute(xml, "submissionMode", "individual");
    for (int i = 0; i < pack->question_count; i++) {
        const struct question *question = &pack->questions[i];
        char path[QTI21_NAME + 16], name[QTI21_NAME];
        if (i == 0 || question->section != section) {
            if (i > 0)
                xml_write_close(xml);
            open_section(xml, question->section ? &pack->sections[question->section - 1] : NULL,
                         question->section);
        }
        section = question->section;
        if (!package->written[i])
            continue;
        qti21_identifier(name, question->id);
        item_name(path, question);
        xml_write_open(xml, "assessmentItemRef");
        xml_write_attribute(xml, "identifier", name);
        xml_write_attribute(xml, "href", path);
        xml_write_close(xml);
    }
    package->qti.export->failed =
        !xml_write_end(xml) || package->qti.export->failed || package->document.failed;
    archive_write_add(package->archive, "test.xml", buffer_get(&package->document), package->document.length);
}

static void open_resource(struct xml_write *xml, const char *identifier, const char *type, const char *path)
{
    xml_write_open(xml, "resource");
    xml_write_attribute(xml, "identifier", identifier);
    xml_write_attribute(xml, "type", type);
    xml_write_attribute(xml, "href", path);
    xml_write_open(xml, "file");
    xml_write_attribute(xml, "href", path);
    xml_write_close(xml);
}

static void put_head(struct xml_write *xml, const struct pack *pack)
{
    xml_write_open(xml, "manifest");
    xml_write_attribute(xml, "xmlns", "http://www.imsglobal.org/xsd/imscp_v1p1");
    xml_write_attribute(xml, "xmlns:lom", "http://ltsc.ieee.org/xsd/LOM");
    xml_write_attribute(xml, "identifier", "manifest");
    xml_write_open(xml, "metadata");
    xml_write_element(xml, "schema", "QTIv2.1 Package");
    xml_write_element(xml, "schemaversion", "1.0.0");
    xml_write_open(xml, "lom:lom");
    xml_write_open(xml, "lom:general");
    xml_write_open(xml, "lom:title");
    xml_write_open(xml, "lom:string");
    xml_write_attribute(xml, "language", pack->language);
    xml_write_text(xml, pack->title);
    for (int i = 0; i < 5; i++)
        xml_write_close(xml);
    xml_write_element(xml, "organizations", NULL);
}

static void put_manifest(struct package *package)
{
    const struct pack *pack = package->qti.export->pack;
    struct xml_write *xml = &package->qti.xml;
    char path[QTI21_NAME + 16], name[QTI21_NAME];
    buffer_clear(&package->document);
    xml_write_begin(xml, &package->document);
    put_head(xml, pack);
    xml_write_open(xml, "resources");
    open_resource(xml, "RESOURCE_TEST", "imsqti_test_xmlv2p1", "test.xml");
    for (int i = 0; i < pack->question_count; i++) {
        if (!package->written[i])
            continue;
        char reference[QTI21_NAME + 16];
        qti21_identifier(name, pack->questions[i].id);
        snprintf(reference, sizeof reference, "RESOURCE_%s", name);
        xml_write_open(xml, "dependency");
        xml_write_attribute(xml, "identifierref", reference);
        xml_write_close(xml);
    }
    xml_write_close(xml);
    for (int i = 0; i < pack->question_count; i++) {
        if (!package->written[i])
            continue;
        char reference[QTI21_NAME + 16];
        qti21_identifier(name, pack->questions[i].id);
        snprintf(reference, sizeof reference, "RESOURCE_%s", name);
        item_name(path, &pack->questions[i]);
        open_resource(xml, reference, "imsqti_item_xmlv2p1", path);
        xml_write_close(xml);
    }
    package->qti.export->failed =
        !xml_write_end(xml) || package->qti.export->failed || package->document.failed;
    archive_write_add(package->archive, "imsmanifest.xml", buffer_get(&package->document),
                      package->document.length);
}

bool qti21_write(struct export *export, struct error *error)
{
    struct package package = { .qti.export = export };
    package.written = memory_zero(export->pack->question_count * (ptrdiff_t)sizeof *package.written);
    package.archive = archive_write_begin();
    buffer_init(&package.document);
    buffer_init(&package.qti.html);
    export->failed = export->failed || !package.written;
    if (package.written) {
        put_items(&package);
        put_test(&package);
        put_manifest(&package);
        export_head_losses(export, 0);
    }
    bool done = archive_write_end(package.archive, &export->out, error);
    if (done && export->failed)
        done = error_memory(error);
    buffer_finish(&package.qti.html);
    buffer_finish(&package.document);
    memory_free(package.written);
    return done;
}
