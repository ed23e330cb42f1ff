// Fits our parameters and those of @open-spaced-repetition/binding to the same simulated histories, and compares how
// well each predicts what neither saw: with the parameters that the histories were made with, and with each other.
//
//   node fit.mjs FIT_PROGRAM [LEARNERS [FIRST]]      LEARNERS simulated people, beginning with number FIRST
//
// The learners live by ts-fsrs, so the truth is not of our making either. Since it is known, the log loss that is to be
// expected of the held-out attempts can be told (each weighs by its true chance of being right), free of the luck of
// the draw: that is what is compared for each learner with enough answers to learn from. Over all learners together the
// log loss of what really happened is compared.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import process from 'node:process'

const require = createRequire(process.env.QUIZTUTOR_NODE_MODULES
  ? process.env.QUIZTUTOR_NODE_MODULES + '/' : import.meta.url)
let found
try {
  found = { ...require('ts-fsrs'), ...require('@open-spaced-repetition/binding') }
} catch {
  console.error('ts-fsrs or @open-spaced-repetition/binding is not installed: ./check does it, or name the folder they ' +
    'are in by QUIZTUTOR_NODE_MODULES')
  process.exit(1)
}
const { fsrs, default_w: defaults, CLAMP_PARAMETERS: clamp, computeParameters, FSRSBindingItem, FSRSBindingReview } = found

const TRUTH = 1.005 // largest log loss against that of the true parameters
const OTHERS = 1.002 // largest log loss against that of the binding's parameters
const ENOUGH = 10000 // answers that a learner's own comparison takes

const DAY = 86400000
const SPREAD = [6.43, 9.66, 17.58, 27.85, 0.57, 0.28, 0.6, 0.12, 0.39, 0.18, 0.33, 0.3, 0.09, 0.16, 0.57, 0.25, 1.03,
  0.31, 0.32, 0.14, 0.27]

// mulberry32: a small generator, so that a learner's number means the same learner everywhere
function generator(seed) {
  let a = seed >>> 0
  const uniform = () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = a
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  return { uniform, normal }
}

// Somebody's true weights: half a published standard deviation about the defaults, first stabilities by a common and
// an own factor.
function trueWeights({ normal }) {
  const bounds = clamp(2)
  const common = Math.exp(0.5 * normal())
  const w = defaults.map((value, i) => i < 4 ? value * common * Math.exp(0.2 * normal())
    : value + 0.5 * SPREAD[i] * normal())
  const first = w.slice(0, 4).sort((a, b) => a - b).map(s => Math.max(s, 0.1))
  return [...first, ...w.slice(4)].map((value, i) => Math.min(Math.max(value, bounds[i][0]), bounds[i][1]))
}

function pick(random, shares) {
  let left = random.uniform()
  for (let i = 0; i < shares.length - 1; i++) {
    left -= shares[i]
    if (left < 0) return i + 1
  }
  return shares.length
}

// A learner: `questions` of them, some new ones a day, each asked again about when the default parameters say so.
function simulate(number, questions) {
  const random = generator(number * 7919 + 1)
  const weights = trueWeights(random)
  const truth = fsrs({ w: weights }), scheduler = fsrs({ w: [...defaults] })
  const known = 0.5 + 0.35 * random.uniform() // of what is new
  const passed = [0.05 + 0.15 * random.uniform(), 0.7, 0.05 + 0.15 * random.uniform()]
  const perDay = 5 + Math.floor(random.uniform() * 20)
  const busy = 0.02 + 0.15 * random.uniform()
  const cards = [], histories = []
  const answer = (card, grade, day, second) => {
    const days = card.answers.length ? day - card.day : 0
    card.truth = truth.next_state(card.truth, days, grade)
    card.guess = scheduler.next_state(card.guess, days, grade)
    card.answers.push({ grade, days, at: day * DAY + second * 1000 })
    card.day = day
  }
  const schedule = card => {
    const interval = scheduler.next_interval(card.guess.stability, 0)
    const fuzzed = interval < 3 ? interval : interval * (0.8 + 0.5 * random.uniform())
    card.due = card.day + Math.max(1, Math.round(fuzzed))
  }
  const last = Math.ceil(questions / perDay) + 200
  for (let day = 0; day < last; day++) {
    if (random.uniform() < busy) continue
    let second = 0
    for (const card of cards) {
      if (card.due > day) continue
      const recall = truth.forgetting_curve(day - card.day, card.truth.stability)
      const right = random.uniform() < recall
      answer(card, right ? 1 + pick(random, [passed[0], 1 - passed[0] - passed[2], passed[2]]) : 1, day, second++)
      while (!right && card.answers.at(-1).grade === 1) answer(card, random.uniform() < 0.85 ? 3 : 1, day, second++)
      schedule(card)
    }
    for (let i = 0; i < perDay && cards.length < questions; i++) {
      const card = { answers: [], truth: null, guess: null }
      answer(card, pick(random, [1 - known, 0.15 * known, 0.7 * known, 0.15 * known]), day, second++)
      while (card.answers.at(-1).grade < 3) answer(card, random.uniform() < 0.8 ? 3 : 1, day, second++)
      if (random.uniform() < 0.5) answer(card, 3, day, second++)
      schedule(card)
      cards.push(card)
      histories.push(card.answers)
    }
  }
  return { weights, histories }
}

function program(path, histories, ...args) {
  const input = histories.map(list => list.length + '\n' + list.map(a => `${a.grade} ${a.days} ${a.at}`).join('\n'))
  const run = spawnSync(path, args.map(String), { input: input.join('\n'), encoding: 'utf8', maxBuffer: 1 << 26 })
  if (run.status !== 0) throw new Error(`${path} ${args[0]}: status ${run.status} ${run.error ?? ''} ${run.stderr}`)
  return run.stdout.trim().split('\n').map(Number)
}

// All predicted answers, by time, as the binding takes them.
function items(histories, from, to) {
  const list = []
  for (const answers of histories) {
    const reviews = answers.map(a => new FSRSBindingReview(a.grade, a.days))
    answers.forEach((a, i) => {
      if (i && a.days > 0 && a.at >= from && a.at < to) list.push({ at: a.at, item: reviews.slice(0, i + 1) })
    })
  }
  return list.sort((a, b) => a.at - b.at).map(entry => new FSRSBindingItem(entry.item))
}

// Log loss, RMSE(bins) and AUC of predictions by ts-fsrs. It keeps first stabilities above 0.1, so only for parameters
// where that is so. The bins are those of srs-benchmark; the area is counted pair by pair.
function figures(weights, histories, from) {
  const model = fsrs({ w: [...weights] })
  const bins = new Map(), recalls = [], recalled = [], forgotten = []
  const bin = (value, base) => Math.floor(Math.log(value) / Math.log(base))
  let sum = 0
  for (const answers of histories) {
    let memory = null, number = 1, lapses = 0
    for (const a of answers) {
      if (memory && a.days > 0) {
        const recall = model.forgetting_curve(a.days, memory.stability), right = a.grade > 1
        number++
        if (a.at >= from) {
          const key = [bin(a.days, 3.62), bin(number, 1.89), lapses ? bin(lapses, 1.73) : 'none'].join()
          const one = bins.get(key) ?? { predicted: 0, right: 0, count: 0 }
          bins.set(key, { predicted: one.predicted + recall, right: one.right + right, count: one.count + 1 })
          sum -= Math.log(right ? recall : 1 - recall)
          recalls.push(recall)
          ;(right ? recalled : forgotten).push(recall)
        }
        lapses += !right
      }
      memory = model.next_state(memory, a.days, a.grade)
    }
  }
  const count = recalled.length + forgotten.length
  let square = 0, above = 0
  for (const one of bins.values()) square += (one.predicted - one.right) ** 2 / one.count
  for (const r of recalled) for (const f of forgotten) above += r > f ? 1 : r === f ? 0.5 : 0
  return { recalls, logLoss: sum / count, rmse: Math.sqrt(square / count),
    auc: recalled.length && forgotten.length ? above / recalled.length / forgotten.length : 0.5 }
}

const [path, learners = '16', first = '1'] = process.argv.slice(2)
const sizes = [60, 400, 1500, 4000] // questions
let failed = 0
const check = (name, found, bound) => {
  if (!(found <= bound)) {
    failed++
    console.log(`FAIL ${name}: ${found} > ${bound}`)
  }
}
console.log('                         | log loss as it happened     | log loss to be expected | seconds')
console.log('learner answers held-out | true   usual  ours   theirs | ours/true theirs/true ours/theirs | ours theirs')
const all = { true: 0, usual: 0, ours: 0, theirs: 0 }
for (let number = Number(first); number < Number(first) + Number(learners); number++) {
  const { weights, histories } = simulate(number, sizes[number % sizes.length])
  const times = histories.flatMap(list => list.filter((a, i) => i && a.days > 0).map(a => a.at)).sort((a, b) => a - b)
  const split = times[Math.floor(times.length * 0.8)]
  const started = process.hrtime.bigint()
  const ours = program(path, histories, 'fit', split)
  const seconds = Number(process.hrtime.bigint() - started) / 1e9
  const theirStart = process.hrtime.bigint()
  const theirs = await computeParameters(items(histories, -Infinity, split),
    { enableShortTerm: true, numRelearningSteps: 1 })
  const theirSeconds = Number(process.hrtime.bigint() - theirStart) / 1e9
  const measure = w => program(path, histories, 'measure', split, ...w)
  const truth = figures(weights, histories, split), known = measure(weights)
  // the figures themselves, as ts-fsrs and plain arithmetic have them
  check(`learner ${number}: log loss as ts-fsrs finds it`, Math.abs(known[1] / truth.logLoss - 1), 1e-6)
  check(`learner ${number}: RMSE(bins) as ts-fsrs finds it`, Math.abs(known[2] - truth.rmse), 1e-6)
  check(`learner ${number}: AUC as ts-fsrs finds it`, Math.abs(known[3] - truth.auc), 1e-6)

  const held = truth.recalls.length, answers = histories.flat().length
  const happened = { true: truth.logLoss, usual: measure(defaults)[1], ours: measure(ours)[1], theirs: measure(theirs)[1] }
  const expected = w => program(path, histories, 'predict', split, ...w).reduce((sum, chance, i) =>
    sum - truth.recalls[i] * Math.log(chance) - (1 - truth.recalls[i]) * Math.log(1 - chance), 0) / held
  const best = truth.recalls.reduce((sum, r) => sum - r * Math.log(r) - (1 - r) * Math.log(1 - r), 0) / held
  const our = expected(ours), their = expected(theirs)
  if (answers >= ENOUGH) {
    check(`learner ${number}: log loss to be expected against the true parameters'`, our / best, TRUTH)
    check(`learner ${number}: log loss to be expected against the binding's`, our / their, OTHERS)
  }
  console.log([String(number).padStart(7), String(answers).padStart(7), String(held).padStart(8), '|',
    ...Object.values(happened).map(x => x.toFixed(4)), '|', (our / best).toFixed(5), (their / best).toFixed(5),
    (our / their).toFixed(5), '|', seconds.toFixed(2), theirSeconds.toFixed(2)].join(' '))
  for (const key of Object.keys(all)) all[key] += happened[key] * held
}
console.log(`all, as it happened: ours/true ${(all.ours / all.true).toFixed(5)}, binding/true ` +
  `${(all.theirs / all.true).toFixed(5)}, ours/binding ${(all.ours / all.theirs).toFixed(5)}`)
check('all: log loss against the true parameters\'', all.ours / all.true, TRUTH)
check('all: log loss against the binding\'s', all.ours / all.theirs, OTHERS)
process.exit(failed ? 1 : 0)
