// Scheduling steps a second, ours against ts-fsrs, in one run: the least time of five turns each.
//
//   node speed.mjs TRACE_PROGRAM
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import process from 'node:process'

const require = createRequire(process.env.QUIZTUTOR_NODE_MODULES
  ? process.env.QUIZTUTOR_NODE_MODULES + '/' : import.meta.url)
const { fsrs, createEmptyCard } = require('ts-fsrs')

const LEAST = 2 // times as fast, at least
const OURS = 2000000, THEIRS = 100000

function seconds(work) {
  const start = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - start) / 1e9
}
function ours() {
  const run = spawnSync(process.argv[2], { input: `b ${OURS}\n`, encoding: 'utf8' })
  if (run.status !== 0 || !(Number(run.stdout) > 0)) throw new Error(`${process.argv[2]}: status ${run.status}`)
}
function theirs() {
  const scheduler = fsrs({ enable_fuzz: false })
  let card, at = 0
  for (let i = 0; i < THEIRS; i++) {
    if (i % 20 === 0) card = createEmptyCard(new Date(at))
    at += 86400000
    card = scheduler.next(card, new Date(at), 3).card
  }
}
let one = Infinity, other = Infinity
for (let turn = 0; turn < 5; turn++) {
  one = Math.min(one, seconds(ours) / OURS)
  other = Math.min(other, seconds(theirs) / THEIRS)
}
console.log(`steps a second: ${Math.round(1 / one)}, ts-fsrs ${Math.round(1 / other)}: ${(other / one).toFixed(1)} times as many`)
process.exit(other / one >= LEAST ? 0 : 1)
