// Compares our scheduler with ts-fsrs over generated histories: stability, difficulty and interval after each answer.
//
//   node trace.mjs TRACE_PROGRAM [HISTORIES]
//
// ts-fsrs rounds to 8 decimals at each step, so the two may differ by that; and where the rounding decides whether an
// interval is above or below a half day, by a day.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import process from 'node:process'

const require = createRequire(process.env.QUIZTUTOR_NODE_MODULES
  ? process.env.QUIZTUTOR_NODE_MODULES + '/' : import.meta.url)
let library
try {
  library = require('ts-fsrs')
} catch {
  console.error('ts-fsrs is not installed: ./check does it, or name the folder it is in by QUIZTUTOR_NODE_MODULES')
  process.exit(1)
}
const { fsrs, createEmptyCard, default_w: defaults, CLAMP_PARAMETERS: clamp } = library

const MEMORY = 1e-5 // largest relative difference of stability and difficulty
const SMALL = 0.01 // stabilities (days) below which the eighth decimal is more than that: as if they were so large
const HALF = 1e-4 // relative distance from a half day at which rounding may decide
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
  let card = createEmptyCard(new Date(at))
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
  const scheduler = fsrs({ w, request_retention: retention, enable_fuzz: false })
  for (let k = i; k < Math.min(i + 500, histories); k++) {
    const answers = history()
    cases.push({ w, retention, answers, theirs: theirs(scheduler, answers) })
    lines.push('h ' + answers.map(([grade, days]) => `${grade}@${days}`).join(' '))
  }
}
const run = spawnSync(program, { input: lines.join('\n') + '\n', encoding: 'utf8', maxBuffer: 2 ** 30 })
if (run.status !== 0) {
  console.error(`${program} ended with status ${run.status} ${run.error ?? ''}`)
  process.exit(1)
}
const ours = run.stdout.split('\n')

let answers = 0, decided = 0, wrong = 0, worstStability = 0, worstDifficulty = 0
function complain(text, { w, retention, answers: of }) {
  if (++wrong > 5) return
  console.log(text)
  console.log(`  ${of.map(([grade, days]) => `${grade}@${days}`).join(' ')}\n  retention ${retention}, weights ${w.join(' ')}`)
}
const nearHalf = days => Math.abs(days - Math.floor(days) - 0.5) <= HALF * Math.max(days, 1)
cases.forEach((one, i) => {
  const numbers = ours[i].trim().split(' ').map(Number)
  if (numbers.length !== one.theirs.length * 4) complain(`${one.theirs.length} answers, ${numbers.length} numbers`, one)
  one.theirs.forEach(([stability, difficulty, interval], k) => {
    const [s, d, days, exact] = numbers.slice(4 * k, 4 * k + 4)
    const ds = Math.abs(s - stability) / Math.max(stability, SMALL)
    const dd = Math.abs(d - difficulty) / difficulty
    answers++
    worstStability = Math.max(worstStability, ds)
    worstDifficulty = Math.max(worstDifficulty, dd)
    if (!(ds <= MEMORY) || !(dd <= MEMORY)) complain(`answer ${k + 1}: ${s} ${d}, theirs ${stability} ${difficulty}`, one)
    if (days === interval) return
    // the interval of another grade, which this one must stay apart from, may be the one that is decided
    if (Math.abs(days - interval) === 1 && (nearHalf(exact) || one.answers[k][0] > 2)) decided++
    else complain(`answer ${k + 1}: ${days} days (${exact}), theirs ${interval}`, one)
  })
})
console.log(`${cases.length} histories, ${answers} answers: largest relative difference of stability ` +
  `${worstStability.toExponential(1)}, of difficulty ${worstDifficulty.toExponential(1)}; ` +
  `${decided} intervals decided by rounding, ${wrong} different`)
if (decided > answers / 5000) {
  console.log('more are put down to rounding than rounding explains')
  process.exit(1)
}
process.exit(wrong ? 1 : 0)
