// What each check shares: expectations, waiting, a receiver of webhooks and the list of what was run.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';

const results = [];

/** Runs one check, says what came of it and goes on. */
export async function check(name, run) {
  try {
    await withDeadline(run());
    results.push({ name });
    console.log(`ok    ${name}`);
  } catch (problem) {
    results.push({ name, problem });
    console.log(`FAIL  ${name}\n      ${problem.stack ?? problem}`);
  }
}

async function withDeadline(work) {
  let timer;
  const late = new Promise((_, refuse) => {
    timer = setTimeout(() => refuse(new Error('no result within 40 s')), 40_000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the process: with 1 when a check failed, or when fewer ran than there are. */
export function finish(expected) {
  const failed = results.filter((each) => each.problem).length;
  console.log(`${results.length} checks, ${failed} failed`);
  if (results.length !== expected) {
    console.log(`FAIL  ${expected} checks were expected`);
  }
  process.exit(failed === 0 && results.length === expected ? 0 : 1);
}

export async function collect(stream) {
  const all = [];
  for await (const each of stream) {
    all.push(each);
  }
  return all;
}

export async function until(condition, what) {
  const end = Date.now() + 20_000;
  while (!condition()) {
    assert.ok(Date.now() < end, `${what} did not come within 20 s`);
    await new Promise((next) => setTimeout(next, 20));
  }
}

/** A webhook on a free port that keeps what it is sent. */
export async function receiver() {
  const posts = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      posts.push({ headers: request.headers, body: JSON.parse(text) });
      response.writeHead(200).end();
    });
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { url: `http://127.0.0.1:${server.address().port}/hook`, posts, close: () => server.close() };
}
