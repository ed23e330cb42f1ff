// Compares our scheduler with ts-fsrs over generated histories: stability, difficulty and interval after each answer.
//
//   node trace.mjs TRACE_PROGRAM [HISTORIES]
//
// ts-fsrs rounds to 8 decimals at each step, so the two may differ by that; and where the rounding decides whether an
// interval is above or below a half day, by a day. So the comparison is made twice: with ts-fsrs as it is published, and
// with the rounding taken out of it, where nothing is put down to rounding.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import process from 'node:process'

const require = createRequire(process.env.QUIZTUTOR_NODE_MODULES
  ? process.env.QUIZTUTOR_NODE_MODULES + '/' : import.meta.url)
let published
try {
  published = require('ts-fsrs')
} catch {
  console.error('ts-fsrs is not installed: ./check does it, or name the folder it is in by QUIZTUTOR_NODE_MODULES')
  process.exit(1)
}
const { default_w: defaults, CLAMP_PARAMETERS: clamp, FSRSVersion: version } = published
if (!version.startsWith('v5.4.2 ')) {
  console.error(`ts-fsrs is ${version}; the scheduler follows 5.4.2`)
  process.exit(1)
}

// The same source, with a roundTo that does not round.
function unrounded() {
  const path = require.resolve('ts-fsrs')
  const source = readFileSync(path, 'utf8')
  const rounding = 'return Math.round(num * factor) / factor;'
  if (source.split(rounding).length !== 2) throw new Error(`${path}: rounds in another way`)
  const module = new Module(path)
  module._compile(source.replace(rounding, 'return num;'), path)
  return module.exports
}

// Largest relative difference of stability and difficulty; stabilities (days) below which the eighth decimal is more
// than that, taken as if they were so large; how near to a half day, as a share, rounding may decide an interval.
const turns = [
  { name: 'as published', library: published, memory: 1e-5, small: 0.01, half: 1e-4 },
  { name: 'without its rounding', library: unrounded(), memory: 1e-9, small: 0, half: 1e-10 }
]
const program = process.argv[2]
const histories = Number(process.argv[3] ?? 100000)

function generator(seed) { // mulberry32
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = a
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
const random = generator(20261130)

// The published parameters, sets near and at both ends of the bounds, and ones between; first stabilities of 0.1 at least.
function parameterSets() {
  const bounds = clamp(2)
  const between = share => bounds.map(([low, high]) => low + (high - low) * share())
  const sets = [[...defaults], between(() => 0), between(() => 1), between(() => 0.5)]
  for (let i = 0; i < 12; i++) sets.push(between(random))
  for (let i = 0; i < 8; i++) sets.push(defaults.map(value => value * (0.7 + 0.6 * random())))
  return sets.map(w => w.map((value, i) => Math.min(Math.max(value, i < 4 ? 0.1 : bounds[i][0]), bounds[i][1])))
}
const retentions = [0.7, 0.8, 0.85, 0.9, 0.95, 0.97, 0.99]

function history() {
  const count = 1 + Math.floor(random() * 20)
  const answers = []
  for (let i = 0; i < count; i++) {
    const kind = random()
    const days = kind < 0.25 ? 0 : kind < 0.6 ? Math.floor(random() * 10) : Math.floor(random() * 1001)
    answers.push([1 + Math.floor(random() * 4), i === 0 ? 0 : days])
  }
  return answers
}

const DAY = 86400000
function theirs(scheduler, answers) {
  let at = DAY / 2
  let card = published.createEmptyCard(new Date(at))
  return answers.map(([grade, days]) => {
    at += days * DAY
    card = scheduler.next(card, new Date(at), grade).card
    return [card.stability, card.difficulty, card.scheduled_days]
  })
}

const cases = []
const lines = []
const sets = parameterSets()
for (let i = 0; i < histories; i += 500) {
  const w = sets[(i / 500) % sets.length]
  const retention = retentions[Math.floor(i / 500 / sets.length) % retentions.length]
  lines.push(`p ${retention} ${w.join(' ')}`)
  for (let k = i; k < Math.min(i + 500, histories); k++) {
    const answers = history()
    cases.push({ w, retention, answers })
    lines.push('h ' + answers.map(([grade, days]) => `${grade}@${days}`).join(' '))
  }
}
const run = spawnSync(program, { input: lines.join('\n') + '\n', encoding: 'utf8', maxBuffer: 2 ** 30 })
if (run.status !== 0) {
  console.error(`${program} ended with status ${run.status} ${run.error ?? ''}`)
  process.exit(1)
}
const ours = run.stdout.split('\n').map(line => line.trim().split(' ').map(Number))

function compare({ name, library, memory, small, half }) {
  let answers = 0, decided = 0, wrong = 0, worstStability = 0, worstDifficulty = 0, scheduler
  function complain(text, { w, retention, answers: of }) {
    if (++wrong > 5) return
    console.log(`ts-fsrs ${name}: ${text}`)
    console.log(`  ${of.map(([grade, days]) => `${grade}@${days}`).join(' ')}\n  retention ${retention}, weights ${w.join(' ')}`)
  }
  cases.forEach((one, i) => {
    if (i % 500 === 0) scheduler = library.fsrs({ w: one.w, request_retention: one.retention, enable_fuzz: false })
    const numbers = ours[i]
    if (numbers.length !== one.answers.length * 4) complain(`${one.answers.length} answers, ${numbers.length} numbers`, one)
    theirs(scheduler, one.answers).forEach(([stability, difficulty, interval], k) => {
      const [s, d, days, near] = numbers.slice(4 * k, 4 * k + 4)
      const ds = Math.abs(s - stability) / Math.max(stability, small)
      const dd = Math.abs(d - difficulty) / difficulty
      answers++
      worstStability = Math.max(worstStability, ds)
      worstDifficulty = Math.max(worstDifficulty, dd)
      if (!(ds <= memory) || !(dd <= memory)) complain(`answer ${k + 1}: ${s} ${d}, theirs ${stability} ${difficulty}`, one)
      if (days === interval) return
      if (Math.abs(days - interval) === 1 && near <= half) decided++
      else complain(`answer ${k + 1}: ${days} days, theirs ${interval}`, one)
    })
  })
  console.log(`ts-fsrs ${name}: ${cases.length} histories, ${answers} answers: largest relative difference of stability ` +
    `${worstStability.toExponential(1)}, of difficulty ${worstDifficulty.toExponential(1)}; ` +
    `${decided} intervals decided by rounding, ${wrong} different`)
  if (decided > answers / 5000) complain('more is put down to rounding than rounding explains', cases[0])
  return wrong === 0
}
const results = turns.map(compare)
process.exit(results.every(Boolean) ? 0 : 1)
