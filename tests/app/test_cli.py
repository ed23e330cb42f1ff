"""Options, exit statuses, messages, the library, settings and learners: what scripts and tutors' habits lean on."""
import ctypes
import json
import os
import shutil
import sqlite3
import subprocess

import drive
import oracle
from drive import check, holds, same

NOBODY = 65534


def questions(count, **more):
    return [dict({'id': 'q%d' % i, 'prompt': 'P%d?' % i, 'explanation': 'E%d' % i, 'true_false': True}, **more)
            for i in range(count)]


def pack_file(place, name, path=None, **more):
    pack = dict({'id': name, 'questions': questions(3)}, **more)
    return place.write(path or 'content/%s.yaml' % name, oracle.pack_yaml(pack))


def fails(place, status, part, *arguments, **more):
    """The command ends with this status and says so on standard error, as `quiztutor: …`, on one line."""
    got, output, errors = place.run(*arguments, **more)
    same(got, status, arguments, errors)
    lines = errors.splitlines()
    check(lines and lines[-1].startswith('quiztutor: '), arguments, 'the message begins with its name', errors)
    check(len(lines) == 1, arguments, 'one line', errors)
    check(drive.tame(errors), arguments, 'nothing that drives a terminal', repr(errors))
    for text in part if isinstance(part, tuple) else (part,):
        holds(errors, text, arguments)
    check('!' not in errors, arguments, 'no exclamation mark', errors)
    return errors


def session(place, *arguments, input='', **more):
    """The events of a JSON-lines session that ends well."""
    status, output, errors = place.run('practise', '--jsonl', *arguments, input=input, **more)
    same(status, 0, arguments, errors)
    return drive.json_lines(output) if status == 0 else [{}]


def command_line():
    with drive.Place() as place:
        pack = pack_file(place, 'first')
        for arguments, part in (
                (['--nosuch'], '--nosuch'), (['nosuch'], 'nosuch'), (['practize'], 'practise'), (['-x'], '-x'),
                (['practise', '--mode', 'x', pack], '--mode'), (['practise', '--seed', '0', pack], '--seed'),
                (['practise', '--seed', '4294967296', pack], '--seed'), (['practise', '--seed', '-1', pack], '--seed'),
                (['practise', '--seed', '1x', pack], '--seed'), (['practise', '--seed', '', pack], '--seed'),
                (['practise', '--seed', ' 7', pack], '--seed'), (['practise', '--seed', '0x10', pack], '--seed'),
                (['practise', '--seed', '99999999999999999999999', pack], '--seed'),
                (['practise', '--limit', '0', pack], '--limit'), (['practise', '--limit', 'all', pack], '--limit'),
                (['practise', '--seed'], '--seed'), (['practise', '--mode'], '--mode'),
                (['practise', '--resume', '--seed', '3', pack], '--seed'),
                (['practise', '--resume', '--mode', 'all', pack], '--mode'),
                (['practise', '--resume', '--limit', '3', pack], '--limit'),
                (['practise', '--resume', '--tag', 'x', pack], '--tag'),
                (['practise', '--resume', '--until', '2999-01-01', pack], '--until'),
                (['practise', '--exam'], '--exam needs a PACK'), (['practise', '--exam', '--jsonl'], '--exam needs a PACK'),
                (['practise', '--exam', '--minutes', '3', '--plain'], '--exam needs a PACK'),
                (['practise', '--minutes', '30', pack], '--exam'), (['practise', '--exam', '--minutes', '0', pack], '--minutes'),
                (['practise', '--exam', '--minutes', '1441', pack], '--minutes'),
                (['practise', '--exam', '--mode', 'all', pack], '--mode'),
                (['practise', '--exam', '--until', '2999-01-01', pack], '--until'),
                (['practise', '--until', '2020-01-31', pack], '2020-01-31'),
                (['practise', '--until', '2999-02-30', pack], '--until'), (['practise', '--until', 'soon', pack], '--until'),
                (['practise', '--until', '', pack], '--until'), (['practise', '--until'], '--until'),
                (['practise', '--certainty=3', pack], '--certainty'),
                (['practise', '--strict', pack], '--strict'), (['check', '--seed', '3', pack], '--seed'),
                (['check'], 'PACK'), (['add'], 'FILE'), (['config', 'extra'], 'extra'),
                (['practise', '--plain=yes', pack], '--plain'), (['\x1b[31m'], 'no command')):
            fails(place, 2, part, *arguments)
        check(not os.path.exists(place.store), 'a wrong command line makes no store')
        fails(place, 1, 'quiztutor lists those there are, and a file is named with its path', 'practise', 'nosuch')
        for arguments in (['--help'], ['practise', '--help'], ['practice', '--help'], ['check', '--help'],
                          ['add', '--help'], ['config', '--help'], ['--help', 'practise'],
                          ['practise', '--help', '--seed', '3']):
            status, output, errors = place.run(*arguments)
            same((status, errors), (0, ''), arguments)
            holds(output, '--help', arguments)
            check(all(len(line) <= 80 for line in output.splitlines()), arguments, 'lines of 80 columns', output)
        holds(place.run('practise', '--help')[1], '--mode', 'options of practise')
        for command, said, other in (('report', 'the last day', 'plan towards'), ('practise', 'plan towards that day', 'the last day'),
                                     ('submit', 'the file it is written to', 'import'), ('learner', 'only learners of this group', 'worksheet'),
                                     ('worksheet', 'a sheet for each learner of this group', 'learner add'),
                                     ('import', 'the folder that packs are written into', 'roster')):
            output = ' '.join(place.run(command, '--help')[1].split())
            holds(output, said, command)
            check(other not in output, command, 'speaks of no other command', output)
        holds(' '.join(place.run('mark', '--help')[1].split()), 'letters count from the top as printed, a is the first')
        status, output, errors = place.run('--version')
        same((status, errors, output.split()[0], len(output.splitlines())), (0, '', 'quiztutor', 1), '--version')
        # abbreviations and = as getopt_long has them; -- ends options
        same(session(place, '--see=7', '--mode=all', pack)[0].get('seed'), 7, 'abbreviated')
        same(session(place, '--mode', 'all', '--', pack)[0].get('packs'), ['first'], '-- ends options')
        dash = place.write('-x.yaml', oracle.pack_yaml({'id': 'dash', 'questions': questions(1)}))
        same(session(place, '--', '-x.yaml', cwd=place.root)[0].get('packs'), ['dash'], dash)
        same(session(place, pack, '--seed', '7')[0].get('seed'), 7, 'options after arguments')
        same(session(place, pack, '--seed', '4294967295')[0].get('seed'), 4294967295, 'the largest seed')
        for _ in range(5):
            check(2 <= session(place, pack)[0].get('seed', 0) <= 4294967295, 'a random seed from 2')
        same(place.run('practice', '--jsonl', pack)[0], 0, 'the alias')


def finding_packs():
    with drive.Place() as place:
        pack = pack_file(place, 'tensor-split')
        errors = fails(place, 1, 'tensor-split', 'practise', '--jsonl', 'tensor-splt')
        holds(errors, 'tensor-splt', 'the name that was given')
        fails(place, 1, 'nowhere.yaml', 'practise', '--jsonl', 'nowhere.yaml')
        fails(place, 1, 'no/where', 'practise', '--jsonl', place.path('no/where'))
        fails(place, 1, ('x', ), 'practise', '--jsonl', 'x\x1b[31m')
        same(session(place, 'tensor-split')[0].get('packs'), ['tensor-split'], 'by id')
        # an id wins over a file of that name; with a slash it is a path
        place.write('tensor-split', oracle.pack_yaml({'id': 'other', 'questions': questions(1)}))
        same(session(place, 'tensor-split', cwd=place.root)[0].get('packs'), ['tensor-split'], 'the id first')
        same(session(place, './tensor-split', cwd=place.root)[0].get('packs'), ['other'], 'a slash makes a path')
        place.write('loose', oracle.pack_yaml({'id': 'loose-pack', 'questions': questions(1)}))
        same(session(place, 'loose', cwd=place.root)[0].get('packs'), ['loose-pack'], 'no such id, but a file')
        # a folder: all packs in it
        for name in ('b', 'a', 'c'):
            pack_file(place, name, 'several/%s.yaml' % name)
        place.write('several/readme.txt', 'no pack')
        same(sorted(session(place, place.path('several'))[0].get('packs', [])), ['a', 'b', 'c'], 'a folder')
        same(session(place, place.path('several') + '/')[0].get('questions'), 9, 'a folder with a slash')
        os.mkdir(place.path('empty'))
        fails(place, 1, 'empty', 'practise', '--jsonl', place.path('empty'))
        # names with everything in them
        for name in ('a b.yaml', 'q?#%41 .yaml', 'é東.yaml', "it's \"x\".yaml", 'x.yml', '\x1b]0;x\x07.yaml'):
            path = pack_file(place, 'odd', 'odd/' + name)
            same(session(place, path)[0].get('packs'), ['odd'], repr(name))
            status, output, errors = place.run('check', path)
            same((status, errors), (0, ''), repr(name))
            check(drive.tame(output), 'shown escaped', repr(output))
            os.unlink(path)
        path = place.write('odd/\x1b]0;x\x07.yaml', 'format: quiztutor/1\n')
        for arguments in (['check', path], ['practise', '--jsonl', path], ['check', '--json', path], ['add', path]):
            status, output, errors = place.run(*arguments)
            same(status, 1, arguments)
            check(drive.tame(output + errors), arguments, 'shown escaped', repr(output + errors))
        fails(place, 1, 'twice', 'practise', '--jsonl', pack_file(place, 'twice', 'one/t.yaml'),
              pack_file(place, 'twice', 'two/t.yaml'))
        same(session(place, pack, pack_file(place, 'b', 'several/b.yaml'))[0].get('packs'), ['tensor-split', 'b'],
             'in the order named')
        os.mkfifo(place.path('pipe.yaml'))
        fails(place, 1, 'pipe.yaml', 'practise', '--jsonl', place.path('pipe.yaml'), timeout=5)


def library():
    with drive.Place() as place:
        pack_file(place, 'one', 'first/one.yaml', title='The first of two')
        pack_file(place, 'one', 'second/one.yaml', title='The second of two', questions=questions(5))
        pack_file(place, 'two', 'second/deeper.yaml', title='Another')
        place.write('second/broken.yaml', 'format: quiztutor/1\nid: broken\n')
        both = place.path('first') + ':' + place.path('second')
        status, output, errors = place.run('--content', both)
        same(status, 0, 'the list', errors)
        for part in ('The first of two', 'Another', 'one', 'two'):
            holds(output, part, 'the list')
        holds(output, 'shadowed', 'the second is told as shadowed')
        holds(output + errors, 'broken', 'the broken one is named')
        same(session(place, '--content', both, 'one')[0].get('questions'), 3, 'the first in order wins')
        turned = place.path('second') + ':' + place.path('first')
        same(session(place, '--content', turned, 'one')[0].get('questions'), 5, 'in the other order the other')
        same(session(place, 'two', env={'QUIZTUTOR_CONTENT': both})[0].get('packs'), ['two'], 'by environment')
        same(session(place, '--content', place.path('first'), 'one', env={'QUIZTUTOR_CONTENT': turned})[0]
             .get('questions'), 3, 'the command line wins')
        status, output, errors = place.run('--content', place.path('nowhere'))
        same(status, 0, 'a folder that is not there', errors)
        status, output, errors = place.run('practise', '--content', both)
        same(status, 0, 'nothing named, nothing due: the library', errors)
        holds(output, 'Another', 'the library')
        # the default: the user's own content
        pack_file(place, 'own', 'data/quiztutor/content/own.yaml', title='My own')
        status, output, _ = place.run(env={'QUIZTUTOR_CONTENT': None})
        same(status, 0, 'the list')
        holds(output, 'My own', 'the default folder')


def checking():
    with drive.Place() as place:
        good = pack_file(place, 'good')
        status, output, errors = place.run('check', good)
        same((status, errors), (0, ''), 'good')
        same(place.run('check', '--json', good)[:2], (0, '[]\n'), 'good as JSON')
        text = oracle.pack_yaml({'id': 'bad', 'questions': questions(2)}).replace('explanation: "E1"', 'explaination: "E1"')
        bad = place.write('bad.yaml', text)
        line = next(i + 1 for i, row in enumerate(text.splitlines()) if 'explaination' in row)
        status, output, errors = place.run('check', bad)
        same((status, errors), (1, ''), 'bad')
        rows = output.splitlines()
        at = next(i for i, row in enumerate(rows) if row.startswith('%s:%d:5: error: ' % (bad, line)))
        check(rows[at].endswith(']') and ' [' in rows[at], 'the rule', rows[at])
        holds(output, 'explanation', 'the nearest key')
        source = next(i for i in range(at, len(rows)) if 'explaination: "E1"' in rows[i])
        same(rows[source + 1].index('^'), rows[source].index('explaination'), 'a caret under it')
        status, _, on_errors = place.run('practise', '--plain', bad)
        same(status, 1, 'practise on a bad pack')
        same(on_errors.startswith(output.rstrip('\n')), True, 'the same diagnostics', output, on_errors)
        status, as_json, errors = place.run('check', '--json', bad)
        same((status, errors), (1, ''), 'bad as JSON')
        listed = json.loads(as_json)
        check(isinstance(listed, list) and len(listed) >= 1, 'an array', as_json)
        for entry in listed:
            same(set(entry) >= {'file', 'line', 'column', 'end_line', 'end_column', 'severity', 'rule', 'message', 'hint'},
                 True, 'members', entry)
        first = next(entry for entry in listed if entry['line'] == line)
        same((first['file'], first['column'], first['severity']), (bad, 5, 'error'), 'place')
        # a warning: only --strict makes it fail
        warned = place.write('warned.yaml', oracle.pack_yaml({'id': 'warned', 'questions': questions(1)}).replace(
            'prompt: "P0?"', 'prompt: What is C #1'))
        status, output, errors = place.run('check', warned)
        same((status, errors), (0, ''), 'a warning')
        holds(output, 'warning: ', 'a warning')
        holds(output, '[comment-cuts-text]', 'its rule')
        same(place.run('check', '--strict', warned)[0], 1, '--strict')
        same(place.run('check', '--strict', good)[0], 0, '--strict on a good one')
        # several at once: all are read, one error fails
        status, output, _ = place.run('check', good, bad, warned)
        same(status, 1, 'several')
        holds(output, '[comment-cuts-text]', 'the last is read too')
        same(len(json.loads(place.run('check', '--json', bad, bad, warned)[1])), 2 * len(listed) + 1, 'one array')
        status, output, errors = place.run('check', place.path('nowhere.yaml'))
        same(status, 1, 'missing')
        holds(output + errors, 'nowhere.yaml', 'missing')
        status, output, _ = place.run('check', '--json', place.path('nowhere.yaml'), bad)
        same(status, 1, 'missing, as JSON')
        check(isinstance(json.loads(output), list), 'still one array')
        same(place.run('check', 'good')[0], 0, 'by id')


def adding():
    with drive.Place() as place:
        good = pack_file(place, 'good', 'here/some name.yaml')
        target = place.path('data/quiztutor/content/good.yaml')
        status, output, errors = place.run('add', good)
        same((status, errors), (0, ''), 'add')
        same(open(target, 'rb').read(), open(good, 'rb').read(), 'copied whole')
        same(os.stat(place.path('data/quiztutor')).st_mode & 0o777, 0o700, 'folder made for the user alone')
        same(session(place, 'good', env={'QUIZTUTOR_CONTENT': None})[0].get('packs'), ['good'], 'found by its id')
        pack_file(place, 'good', 'here/some name.yaml', questions=questions(7))
        same(place.run('add', good)[0], 0, 'replaced')
        same(session(place, 'good', env={'QUIZTUTOR_CONTENT': None})[0].get('questions'), 7, 'the new one')
        twin = pack_file(place, 'good', 'twin.yaml', questions=questions(2))
        status, output, errors = place.run('add', good, twin)
        same(status, 1, 'two files of one id')
        holds(errors, 'twin.yaml', 'the second is named')
        same(session(place, 'good', env={'QUIZTUTOR_CONTENT': None})[0].get('questions'), 7, 'the first stays')
        bad = place.write('bad.yaml', 'format: quiztutor/1\nid: bad\n')
        status, output, errors = place.run('add', bad, good)
        same(status, 1, 'one bad')
        holds(output + errors, 'error: ', 'its diagnostics')
        same(sorted(os.listdir(os.path.dirname(target))), ['good.yaml'], 'not copied, nothing left over')
        for name in ('a', 'b'):
            pack_file(place, name, 'folder/%s.yaml' % name)
        same(place.run('add', place.path('folder'))[0], 0, 'a folder')
        same(sorted(os.listdir(os.path.dirname(target))), ['a.yaml', 'b.yaml', 'good.yaml'], 'all of it')
        fails(place, 1, 'nowhere', 'add', place.path('nowhere.yaml'))
        same(place.run('add', target)[0], 0, 'a pack onto itself')
        same(session(place, 'good', env={'QUIZTUTOR_CONTENT': None})[0].get('questions'), 7, 'still whole')


def as_nobody(place, *arguments, **more):
    """The program run by an ordinary user, for whom read-only is read-only."""
    program = place.path('program')
    if not os.path.exists(program):
        shutil.copy(drive.PROGRAM, program)
    os.chmod(place.root, 0o755)
    who = {} if os.getuid() else {'user': NOBODY, 'group': NOBODY, 'extra_groups': []}
    kept, drive.PROGRAM = drive.PROGRAM, program
    try:
        return place.run(*arguments, **who, **more)
    finally:
        drive.PROGRAM = kept


def give(path):
    if os.getuid() == 0:
        for folder, _, names in os.walk(path):
            for name in [folder] + [os.path.join(folder, name) for name in names]:
                os.chown(name, NOBODY, NOBODY)


def forbidden():
    with drive.Place() as place:
        good = pack_file(place, 'good')
        os.makedirs(place.path('data/quiztutor/content'))
        give(place.path('data'))
        os.chmod(place.path('data/quiztutor/content'), 0o555)
        status, _, errors = as_nobody(place, 'add', good)
        same(status, 1, 'add into a read-only folder')
        holds(errors, 'quiztutor: ', 'the message')
        holds(errors, 'Permission denied', 'the reason')
        same(os.listdir(place.path('data/quiztutor/content')), [], 'nothing left')
        os.chmod(good, 0)
        status, output, errors = as_nobody(place, 'check', good)
        same(status, 1, 'a pack that may not be read')
        holds(output + errors, 'Permission denied', 'the reason')
        os.chmod(good, 0o644)
        # a store in a folder where nothing may be written, then one that is read-only itself
        os.mkdir(place.path('shut'))
        os.chmod(place.path('shut'), 0o555)
        status, output, errors = as_nobody(place, 'practise', '--jsonl', '--store', place.path('shut/s.db'), good, input='t\n')
        same(status, 1, 'no store can be made')
        holds(errors, 'quiztutor: ', 'the message')
        check('"result"' not in output, 'no result is told', output)
        os.mkdir(place.path('ro'))
        give(place.path('ro'))
        store = place.path('ro/s.db')
        same(as_nobody(place, 'practise', '--jsonl', '--store', store, good, input='t\n')[0], 0, 'writable')
        before = open(store, 'rb').read()
        for path, mode in ((store, 0o444), (place.path('ro'), 0o555)):
            os.chmod(path, mode)
            status, output, errors = as_nobody(place, 'practise', '--jsonl', '--store', store, good, input='t\nt\n')
            same(status, 1, 'a read-only store')
            holds(errors, 'quiztutor: ', 'the message')
            check('"result"' not in output, 'no result is told', output)
        same(open(store, 'rb').read(), before, 'untouched')
        same(place.rows('SELECT count(*) AS n FROM attempt', store=store)[0]['n'], 1, 'the one attempt')


def settings():
    with drive.Place() as place:
        pack = pack_file(place, 'first')

        def origins(*arguments, env=None):
            status, output, errors = place.run('config', *arguments, env=env)
            same((status, errors), (0, ''), 'config')
            return {line.split()[0]: line for line in output.splitlines()}
        got = origins()
        for key in ('learner', 'store', 'content', 'certainty', 'retention', 'retention_by_pack', 'new_per_day',
                    'day_starts', 'theme', 'signs', 'plain', 'roster', 'site'):
            check(key in got, 'config names', key, got)
        holds(got['new_per_day'], ' 20 ', 'default')
        holds(got['new_per_day'], 'default', 'default')
        holds(got['store'], '$QUIZTUTOR_STORE', 'environment')
        file = place.write('config/quiztutor/config.yaml',
                           'learner: Cleo\nstore: %s\nnew_per_day: 2\nroster: open\n' % place.path('by-file.db'))
        got = origins(env={'QUIZTUTOR_STORE': None})
        holds(got['learner'], 'Cleo', 'file')
        holds(got['learner'], 'config.yaml', 'its origin')
        holds(got['store'], place.path('by-file.db'), 'file')
        got = origins('--store', '/x/y.db', '--learner', 'Dan')
        holds(got['store'], '/x/y.db', 'command line')
        holds(got['store'], 'command line', 'command line')
        holds(got['learner'], 'Dan', 'command line')
        holds(origins()['store'], '$QUIZTUTOR_STORE', 'environment before file')
        place.write('config/quiztutor/config.yaml', 'store: beside.db\ncontent: "packs:~/more:/abs"\n')
        got = origins(env={'QUIZTUTOR_STORE': None, 'QUIZTUTOR_CONTENT': None})
        holds(got['store'], place.path('config/quiztutor/beside.db'), 'a relative path begins at the file')
        holds(got['content'], place.path('config/quiztutor/packs') + ':', 'each of a list')
        holds(got['content'], '/more:/abs', 'home and root stay')
        place.write('config/quiztutor/config.yaml',
                    'learner: Cleo\nstore: %s\nnew_per_day: 2\nroster: open\n' % place.path('by-file.db'))
        # it is used, not only shown
        events = session(place, pack, env={'QUIZTUTOR_STORE': None}, input='t\n')
        same((events[0].get('learner'), events[0].get('questions')), ('Cleo', 2), 'learner and new_per_day')
        check(os.path.exists(place.path('by-file.db')), 'the store of the file')
        for text, part in (('lerner: x\n', 'learner'), ('new_per_day: many\n', 'new_per_day'), ('plain: yes\n', 'true'),
                           ('learner: a\nlearner: b\n', 'learner'), ('- a\n', 'config.yaml'), ('plain: [\n', 'config.yaml'),
                           ('new_per_day: -1\n', 'new_per_day'), ('roster: shut\n', 'roster'), ('a: &b c\n', 'config.yaml'),
                           ('signs: loud\n', 'signs'), ('learner: "a\\e[31mb"\n', 'config.yaml')):
            place.write('config/quiztutor/config.yaml', text)
            for arguments in (['config'], ['practise', '--jsonl', pack]):
                status, output, errors = place.run(*arguments)
                same(status, 1, text, arguments, output)
                holds(errors, file + ':', text, arguments)
                holds(errors, part, text, arguments)
                check(drive.tame(errors), text, 'nothing that drives a terminal', repr(errors))
        for text in ('', '# only a comment\n', 'x-mine: anything\n'):
            place.write('config/quiztutor/config.yaml', text)
            same(place.run('config')[0], 0, 'config file', repr(text))
        os.unlink(file)
        # folders are made on first use, for the user alone
        same(session(place, pack, env={'QUIZTUTOR_STORE': None}, input='t\n')[0].get('event'), 'session', 'default store')
        for path, mode in (('data/quiztutor', 0o700), ('data/quiztutor/store.db', 0o600)):
            same(os.stat(place.path(path)).st_mode & 0o777, mode, path)
        status, _, errors = place.run('practise', '--jsonl', pack,
                                      env={'QUIZTUTOR_STORE': None, 'XDG_DATA_HOME': None, 'XDG_CONFIG_HOME': None})
        same(status, 0, 'without XDG, below the home folder', errors)
        check(os.path.exists(place.path('home/.local/share/quiztutor/store.db')), 'the default of XDG_DATA_HOME')


def learners():
    with drive.Place() as place:
        pack = pack_file(place, 'first')

        def practise(name, *more, answer='t\n'):
            status, output, errors = place.run('practise', '--jsonl', '--mode', 'all', '--learner', name, pack, *more,
                                               input=answer)
            return status, drive.json_lines(output)[0]['learner'] if status == 0 else None, errors

        def count():
            return place.rows('SELECT count(*) AS n FROM learner')[0]['n']
        same(practise('ana', answer=''), (0, 'ana', ''), 'nothing answered: nobody is made')
        same(count(), 0, 'nobody')
        same(practise('ana'), (0, 'ana', 'quiztutor: new learner "ana"\n'), 'new')
        for name in ('ANA', 'Ana', '  ana ', '\uff21\uff2e\uff21'):
            same(practise(name), (0, 'ana', ''), 'the same person', repr(name))
        same(count(), 1, 'one learner')
        for first, second in (('Stra\u00dfe', 'STRASSE'), ('Ren\u00e9', 'Rene\u0301'), ('Eva  Maria', 'Eva Maria'),
                              ('\u01c4ana', 'd\u017eana'), ('\ufb01n', 'FIN')):
            same(practise(first)[2].startswith('quiztutor: new learner'), True, first)
            same(practise(second)[2], '', 'the same person', first, second)
        names = [row['name'] for row in place.rows('SELECT name FROM learner')]
        check('Eva Maria' in names, 'white space is one space', names)
        check('Ren\u00e9' in names, 'NFC', names)
        same(practise('x' * 64)[0], 0, '64 graphemes')
        same(practise('e\u0301\u0323' * 64)[0], 0, '64 graphemes of three code points')
        before = count()
        for name in ('x' * 65, 'e\u0301' * 65, '', '   ', 'a\tb\x07', 'a\x1b[31m', 'a\nb\x01', 'a\u202eb', 'a\u200bb',
                     'a\u2066b', 'a\u0085b\u009b', 'a\ufeffb', 'a\u061cb'):
            status, _, errors = practise(name)
            check(status in (1, 2), 'refused', repr(name), status)
            check(errors.startswith('quiztutor: '), 'says why', repr(name), errors)
            check(drive.tame(errors), 'shown escaped', repr(errors))
        same(count(), before, 'none of them made')
        status, _, errors = place.run('practise', '--jsonl', '--learner', b'\xff\xfe', pack, input='t\n')
        check(status in (1, 2) and errors.startswith('quiztutor: '), 'a name that is not UTF-8', status, errors)
        # a login matches exactly, before any name
        login = subprocess.run(['id', '-un'], capture_output=True, text=True).stdout.strip()
        status, output, _ = place.run('practise', '--jsonl', '--mode', 'all', pack, input='t\n')
        same(drive.json_lines(output)[0]['learner'], login, 'the login name is the default')
        same(place.rows('SELECT count(*) AS n FROM learner WHERE login = ?', login)[0]['n'], 1, 'kept as login')
        before = count()
        same(practise(login)[2], '', 'by its login')
        same(practise(login.upper())[2], '', 'by its name')
        same(count(), before, 'one person')
        # a closed roster makes nobody, and names the nearest
        place.write('config/quiztutor/config.yaml', 'roster: closed\n')
        fails(place, 1, ('anna', '"ana"'), 'practise', '--jsonl', '--learner', 'anna', pack, input='t\n')
        same(practise('ANA')[0], 0, 'a known one may')
        same(count(), before, 'nobody was made')
        fresh = place.path('fresh.db')
        status, output, errors = place.run('practise', '--jsonl', '--learner', 'zed', '--store', fresh, pack, input='t\n')
        same(status, 1, 'an empty closed roster')


def plans():
    with drive.Place() as place:
        listed = questions(6)
        for i, question in enumerate(listed):
            question['tags'] = ['even' if i % 2 == 0 else 'odd', 'tag%d' % i]
        pack = pack_file(place, 'first', questions=listed, shuffle='none')

        def asked(*more, input='', learner='Ana', env=None):
            events = session(place, *more, '--learner', learner, pack, input=input, env=env)
            same(events[0].get('mode'), more[more.index('--mode') + 1] if '--mode' in more else 'due', 'mode told')
            return events[0].get('questions'), [event['question'] for event in events if event['event'] == 'question']
        same(asked('--tag', 'odd')[0], 3, 'by tag')
        same(asked('--tag', 'odd', '--limit', '2')[0], 2, 'by tag and limit')
        same(asked('--tag', 'nosuch')[0], 0, 'an unknown tag')
        same(asked('--limit', '4', '--mode', 'all')[0], 4, 'limit')
        same(asked('--limit', '100')[0], 6, 'limit above all')
        same(asked('--mode', 'new', input='t\nf\n')[0], 6, 'all are new')
        same(asked('--mode', 'new'), (4, ['q2']), 'four are left')
        same(asked('--mode', 'mistakes'), (1, ['q1']), 'one mistake')
        same(asked('--mode', 'mistakes', input='t\n')[0], 1, 'mended')
        same(asked('--mode', 'mistakes')[0], 0, 'no mistake any more')
        same(asked('--mode', 'mistakes', learner='Bea')[0], 0, 'of this learner')
        # an undone answer leaves it: as if never answered
        same(asked('--mode', 'new', input='t\n:undo\n')[1], ['q2', 'q3', 'q2'], 'undone')
        same(asked('--mode', 'new')[0], 4, 'still new')
        # omitted is not right
        asked('--mode', 'new', '--tag', 'tag2', input=':skip\n:skip\n')
        same(asked('--mode', 'mistakes'), (1, ['q2']), 'omitted is a mistake')
        # new ones a day, over all sessions of the day
        place.write('config/quiztutor/config.yaml', 'new_per_day: 4\n')
        same(asked(learner='Cleo', input='t\nt\n')[0], 4, 'at most four new ones')
        same(asked(learner='Cleo'), (2, ['q2']), 'the two new ones that are left of the day: the others wait their steps')
        same(asked('--limit', '6', learner='Cleo')[0], 4, '--limit overrides it')
        place.age(60)
        same(asked(learner='Cleo')[0], 6, 'two due ones, and four new ones on another day')
        same(asked('--limit', '1', learner='Cleo')[1] in (['q0'], ['q1']), True, 'due ones first')
        place.write('config/quiztutor/config.yaml', 'new_per_day: 0\n')
        same(asked(learner='Dan')[0], 0, 'no new ones')
        same(asked('--mode', 'new', learner='Dan')[0], 6, 'only under due')
        # nothing to ask
        events = session(place, '--learner', 'Dan', pack)
        same([event['event'] for event in events], ['session', 'summary'], 'nothing to ask')
        same((events[0]['questions'], events[1]['asked']), (0, 0), 'nothing to ask')
        status, output, errors = place.run('practise', '--plain', '--learner', 'Dan', pack)
        same((status, len(output.strip().splitlines())), (0, 1), 'one line', output)
        holds(output, '--mode', 'how to practise anyway')


def resuming():
    with drive.Place() as place:
        pack = pack_file(place, 'first', questions=questions(5), shuffle='none')
        other = pack_file(place, 'other')
        status, output, errors = place.run('practise', '--jsonl', '--resume', pack, input='t\n')
        head = drive.json_lines(output)[0]
        same((status, head['resumed']), (0, False), 'none: starts anew')
        check(errors.count('quiztutor: ') >= 1 and len(errors.strip().splitlines()) >= 2, 'and says so', errors)
        events = session(place, '--resume', pack, input='t\n')
        same((events[0]['resumed'], events[0]['session'], events[0]['seed']), (True, head['session'], head['seed']), 'resumed')
        same(events[1]['question'], 'q1', 'goes on')
        check(session(place, '--resume', other)[0]['resumed'] is False, 'other packs')
        check(session(place, '--resume', '--learner', 'Bea', pack)[0]['resumed'] is False, 'another learner')
        # the newest one
        newer = session(place, '--mode', 'all', '--seed', '9', pack, input='t\n')[0]
        same(session(place, '--resume', pack)[0]['session'], newer['session'], 'the newest')
        same(session(place, '--resume', pack)[0]['seed'], 9, 'its seed')
        # --restart drops it, as an event
        again = session(place, '--restart', '--mode', 'all', pack, input='t\n')[0]
        check(again['session'] != newer['session'] and not again['resumed'], 'a new one')
        same(len(place.rows("SELECT * FROM event WHERE kind = 'dropped'")), 1, 'dropped')
        same(drive.uuid_text(place.rows("SELECT session_id FROM event WHERE kind = 'dropped'")[0]['session_id']),
             newer['session'], 'the newest was dropped')
        same(session(place, '--restart', '--learner', 'Cleo', pack)[0]['resumed'], False, 'none to drop: just starts')
        # without --resume from no terminal: anew
        same(session(place, '--mode', 'all', pack)[0]['resumed'], False, 'JSON lines start anew')
        # one that is running elsewhere is not offered
        running = drive.Talk(place, '--mode', 'all', '--learner', 'Eve', pack)
        running.until('question')
        running.say('t')
        running.until('result')
        check(session(place, '--resume', '--learner', 'Eve', pack)[0]['resumed'] is False, 'running elsewhere')
        same(running.end()[0], 0, 'ends')
        check(session(place, '--resume', '--learner', 'Eve', pack, input='t\n')[0]['resumed'] is True, 'not any more')
        # gone, or with another key: out of what is left, and told
        listed = questions(5)
        listed[3]['true_false'] = False
        del listed[2]
        pack_file(place, 'first', questions=listed, shuffle='none')
        status, output, errors = place.run('practise', '--jsonl', '--resume', '--learner', 'Eve', pack, input='t\n' * 9)
        events = drive.json_lines(output)
        same((status, [event['question'] for event in events if event['event'] == 'question']), (0, ['q4']), 'what is left')
        same((events[0]['resumed'], events[-1]['finished']), (True, True), 'and then it is finished')
        holds(errors, 'quiztutor: ', 'it is told')


def stores():
    with drive.Place() as place:
        pack = pack_file(place, 'first')
        for name in ('a b?#%41 x.db', 'é?mode=memory.db', 'file:x.db', ':memory:'):
            path = place.path(name)
            session(place, '--store', path, pack, input='t\n')
            check(os.path.exists(path), 'the store is where it was named', name, os.listdir(place.root))
            same(place.rows('SELECT count(*) AS n FROM attempt', store=path)[0]['n'], 1, name)
        session(place, '--store', ':memory:', pack, input='t\n', cwd=place.path('home'))
        check(os.path.exists(place.path('home/:memory:')), 'no name is special')

        def refused(path, *parts):
            before = open(path, 'rb').read() if os.path.isfile(path) else None
            for arguments in (['practise', '--jsonl', pack], []):
                fails(place, 1, parts, *arguments, '--store', path, input='t\n')
            if before is not None:
                same(open(path, 'rb').read(), before, path, 'untouched')
                left = [name for name in os.listdir(os.path.dirname(path))
                        if name.startswith(os.path.basename(path)) and name != os.path.basename(path)
                        and not name.endswith(('-lock', '-reserve'))]
                same(left, [], 'nothing beside it')
        refused(place.write('text.db', 'This is a letter to my aunt.\n' * 100), 'text.db')
        refused(place.write('short.db', 'xy'), 'short.db')
        os.mkdir(place.path('folder.db'))
        refused(place.path('folder.db'), 'folder.db')
        with sqlite3.connect(place.path('foreign.db')) as connection:
            connection.execute('CREATE TABLE music(title)')
        connection.close()
        refused(place.path('foreign.db'), 'foreign.db')
        session(place, '--store', place.path('newer.db'), pack, input='t\n')
        connection = sqlite3.connect(place.path('newer.db'))
        connection.execute('PRAGMA journal_mode = DELETE')
        connection.execute('PRAGMA user_version = 999')
        connection.commit()
        connection.close()
        refused(place.path('newer.db'), 'newer')
        session(place, pack, input='t\nt\n')
        connection = sqlite3.connect(place.store)
        connection.execute('PRAGMA wal_checkpoint(TRUNCATE)')
        connection.close()
        whole = open(place.store, 'rb').read()
        for at, length in ((16, 80), (100, 400), (4096, 20000), (0, 16)):
            path = place.write('damaged.db', whole[:at] + b'\xa5' * length + whole[at + length:])
            status, output, errors = place.run('practise', '--jsonl', '--store', path, pack, input='t\n')
            check(status in (0, 1), 'damaged', at, status)
            check(status == 0 or 'quiztutor: ' in errors, 'damaged', at, 'says so', errors)
            told = [event for event in drive.json_lines(output) if event['event'] == 'result']
            check(status == 1 or told, 'damaged', at, output)
        path = place.write('cut.db', whole[:len(whole) // 2])
        status, output, errors = place.run('practise', '--jsonl', '--store', path, pack, input='t\n')
        check(status == 1 and 'quiztutor: ' in errors, 'cut in half', status, errors)


def small_disk(place, name, size):
    """A small file system of its own, or None where that can't be had. Only this process and those it starts see it,
    so that it goes with them, however they end."""
    folder = place.path(name)
    os.mkdir(folder)
    if ctypes.CDLL(None).unshare(0x00020000):  # CLONE_NEWNS
        print('no small disk here: no mounts of its own')
        return None
    private = subprocess.run(['mount', '--make-rprivate', '/'], capture_output=True)
    if private.returncode:  # in a change-root / is no mount point, and a mount could be seen outside
        print('no small disk here:', private.stderr.decode().strip())
        return None
    done = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=%d,mode=0777' % size, 'tmpfs', folder], capture_output=True)
    if done.returncode:
        print('no small disk here:', done.stderr.decode().strip())
        return None
    return folder


def fill(path):
    with open(path, 'wb', buffering=0) as file:
        for size in (65536, 4096, 512, 1):
            try:
                while True:
                    file.write(b'\0' * size)
            except OSError:
                pass


def full_disk():
    with drive.Place() as place:
        folder = small_disk(place, 'disk', 12 * 1024 * 1024)
        if not folder:
            return
        try:
            pack = pack_file(place, 'many', questions=questions(2000))
            store = os.path.join(folder, 's.db')
            talk = drive.Talk(place, '--mode', 'all', '--store', store, '--learner', 'Ana', pack)
            talk.until('question')
            talk.say('t')
            same(talk.until('result', 'not-stored')['event'], 'result', 'while there is room')
            for turn in range(2):
                fill(os.path.join(folder, 'fill'))
                event = talk.until('question')
                for _ in range(1500):
                    talk.say('t')
                    event = talk.until('result', 'not-stored')
                    if event['event'] != 'result':
                        break
                    fill(os.path.join(folder, 'more'))
                    talk.until('question')
                if not same(event['event'], 'not-stored', 'on a full disk', turn):
                    break
                check(event.get('reason') and event.get('number'), 'with number and reason', event)
                talk.say('t')
                same(talk.until('result', 'not-stored', 'question')['event'], 'not-stored', 'still full')
                if turn == 0:
                    os.unlink(os.path.join(folder, 'fill'))
                    if os.path.exists(os.path.join(folder, 'more')):
                        os.unlink(os.path.join(folder, 'more'))
                    talk.say('')
                    event = talk.until('result', 'not-stored')
                    same((event['event'], event.get('outcome')), ('result', 'right'), 'room again: any line stores it')
            status, errors = talk.end()
            same(status, 1, 'end of input with an answer that is not stored', errors)
            holds(errors, 'quiztutor: ', 'says so')
            told = [event['attempt'] for event in talk.results()]
            for name in ('fill', 'more'):
                if os.path.exists(os.path.join(folder, name)):
                    os.unlink(os.path.join(folder, name))
            stored = [drive.uuid_text(row['attempt_id']) for row in
                      place.rows('SELECT attempt_id FROM attempt ORDER BY seq', store=store)]
            same(told, stored, 'what was told is what is stored')
            same(place.rows('PRAGMA integrity_check', store=store), [{'integrity_check': 'ok'}], 'integrity')
            events = session(place, '--resume', '--store', store, '--learner', 'Ana', pack, input='t\n')
            same(events[0].get('resumed'), True, 'goes on')
            every_act(place, folder, store, pack)
            # full from the start: nothing is told that is not kept
            fill(os.path.join(folder, 'fill'))
            told = 0
            for form in ('--jsonl', '--plain'):
                status, output, errors = place.run('practise', form, '--mode', 'all', '--store', store, '--learner', 'Bea',
                                                   pack, input='t\n')
                # it may still find room in its own files; what it can't do is tell what is not stored
                check(status == 0 or (status == 1 and 'quiztutor: ' in errors), form, 'full from the start', output, errors)
                told += output.count('"result"') + output.count('Right.')
            os.unlink(os.path.join(folder, 'fill'))
            same(place.rows("SELECT count(*) AS n FROM attempt a JOIN learner l ON l.learner_id = a.learner_id "
                            "WHERE l.name = 'Bea'", store=store)[0]['n'], told, 'told and stored')
            # add on a full disk leaves no half of a pack
            fill(os.path.join(folder, 'fill'))
            status, _, errors = place.run('add', pack, env={'XDG_DATA_HOME': folder})
            same(status, 1, 'add on a full disk')
            holds(errors, 'quiztutor: ', 'says so')
            left = [name for _, _, names in os.walk(os.path.join(folder, 'quiztutor')) for name in names]
            same(left, [], 'no half of a pack')
        finally:
            subprocess.run(['umount', folder])


def every_act(place, folder, store, pack):
    """Not only answers: each act that is stored waits for room, and is then told."""
    talk = drive.Talk(place, '--mode', 'all', '--store', store, '--learner', 'Cleo', pack)
    talk.until('question')
    for _ in range(200):
        talk.say('t')
        if not same(talk.until('question', 'not-stored')['event'], 'question', 'while there is room'):
            return
    for act, told in ((':skip', 'skipped'), (':report odd', 'reported'), (':flag', 'flagged'), (':undo', 'undone')):
        fill(os.path.join(folder, 'fill'))
        event = {}
        for turn in range(1900):
            talk.say(act)
            event = talk.until(told, 'not-stored', 'unreadable')
            if event['event'] != told:
                break
            if turn % 50 == 0:
                fill(os.path.join(folder, 'more%d' % turn))
        if event['event'] == 'unreadable':
            continue  # all answers taken back, in what room the store's own files still had
        if not same(event['event'], 'not-stored', act, 'on a full disk'):
            return
        talk.say(act)
        same(talk.until(told, 'not-stored')['event'], 'not-stored', act, 'still full')
        for name in os.listdir(folder):
            if name.startswith(('fill', 'more')):
                os.unlink(os.path.join(folder, name))
        talk.say('t')
        same(talk.until(told, 'not-stored', 'result')['event'], told, act, 'room again')
    status, errors = talk.end()
    for name in os.listdir(folder):
        if name.startswith(('fill', 'more')):
            os.unlink(os.path.join(folder, name))
    same(status, 0, 'ends well', errors)
    kinds = [event['event'] for event in talk.events]
    for told in ('skipped', 'reported', 'flagged', 'undone'):
        same(place.rows('SELECT count(*) AS n FROM event e JOIN learner l ON l.learner_id = e.learner_id '
                        "WHERE l.name = 'Cleo' AND kind = ?", told, store=store)[0]['n'], kinds.count(told), told)
    same(place.rows("SELECT count(*) AS n FROM attempt a JOIN learner l ON l.learner_id = a.learner_id "
                    "WHERE l.name = 'Cleo'", store=store)[0]['n'], kinds.count('result'), 'answers')


if __name__ == '__main__':
    for part in (command_line, finding_packs, library, checking, adding, forbidden, settings, learners, plans, resuming,
                 stores, full_disk):
        part()
    drive.finish()
