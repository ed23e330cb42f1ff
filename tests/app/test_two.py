"""test_two.py QUIZTUTOR [ANSWERS]: processes that practise on one store at once all store everything they told."""
import subprocess
import sys

import drive
import oracle
from drive import same


def together(answers, learners):
    with drive.Place() as place:
        pack = {'id': 'long', 'questions': [
            {'id': 'q%d' % i, 'prompt': 'P%d?' % i, 'explanation': 'E', 'true_false': True} for i in range(answers)]}
        name = place.write('content/long.yaml', oracle.pack_yaml(pack))
        feed = place.write('feed', 't\n' * answers)
        running = []
        for number, learner in enumerate(learners):
            files = open(feed, 'rb'), open(place.path('out%d' % number), 'wb'), open(place.path('err%d' % number), 'wb')
            running.append(subprocess.Popen(
                [drive.PROGRAM, 'practise', '--jsonl', '--mode', 'all', '--learner', learner, name],
                stdin=files[0], stdout=files[1], stderr=files[2], env=place.environment))
            for file in files:
                file.close()
        for process in running:
            same(process.wait(), 0, 'status')
        told = []
        for number, learner in enumerate(learners):
            events = drive.json_lines(open(place.path('out%d' % number), encoding='utf-8').read())
            mine = [event['attempt'] for event in events if event['event'] == 'result']
            same(len(mine), answers, learner, 'results told')
            same([event for event in events if event['event'] == 'not-stored'], [], learner, 'nothing refused')
            same(events[-1].get('asked'), answers, learner, 'summary')
            told += mine
        rows = place.rows('SELECT seq, attempt_id FROM attempt')
        same(sorted(drive.uuid_text(row['attempt_id']) for row in rows), sorted(told), 'told and stored')
        every = place.rows('SELECT seq FROM attempt UNION ALL SELECT seq FROM session UNION ALL SELECT seq FROM event')
        same(len({row['seq'] for row in every}), len(every), 'one counter over all')
        same(place.rows('SELECT count(*) AS n FROM learner')[0]['n'], len(set(learners)), 'learners')
        same(place.rows('SELECT count(*) AS n FROM session')[0]['n'], len(learners), 'sessions')
        same(place.rows('PRAGMA integrity_check'), [{'integrity_check': 'ok'}], 'integrity')


if __name__ == '__main__':
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    together(count, ['Ana', 'Bea'])
    together(count, ['Ana', 'Ana'])
    together(count // 4, ['Ana', 'Bea', 'Ana', 'Cleo', 'Dan', 'Eve', 'Bea', 'Fay'])
    drive.finish()
