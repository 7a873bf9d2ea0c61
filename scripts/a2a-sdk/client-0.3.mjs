// The last official client of A2A 0.3 drives the echo agent: client-0.3.mjs URL
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ClientFactory } from 'a2a-sdk-0.3/client';
import { check, collect, finish } from './checks.mjs';

const client = await new ClientFactory().createFromUrl(process.argv[2], '/.well-known/agent.json');

function message(prefix, text = 'hello', more = {}) {
  return {
    message: { kind: 'message', messageId: `${prefix}-${randomUUID()}`, role: 'user',
      parts: [{ kind: 'text', text }], ...more },
  };
}

await check('0.3: a task completes', async () => {
  const task = await client.sendMessage(message('m'));
  assert.equal(task.kind, 'task');
  assert.equal(task.status.state, 'completed');
  assert.equal(task.status.message.parts[0].text, 'echo: hello');
});
await check('0.3: a direct message', async () => {
  const answer = await client.sendMessage(message('tck-message-response'));
  assert.equal(answer.kind, 'message');
  assert.deepEqual(answer.parts, [{ kind: 'text', text: 'directly' }]);
});
await check('0.3: a stream says its kinds, and its last status is final', async () => {
  const events = await collect(client.sendMessageStream(message('tck-stream-artifact-chunked')));
  assert.deepEqual(events.map((each) => each.kind),
    ['task', 'status-update', 'artifact-update', 'artifact-update', 'status-update']);
  assert.deepEqual(events.filter((each) => each.kind === 'status-update').map((each) => each.final), [false, true]);
  assert.equal(events[2].artifact.parts[0].kind, 'text');
  assert.equal(events.at(-1).status.state, 'completed');
});
await check('0.3: a stream that asks for input is final there', async () => {
  const events = await collect(client.sendMessageStream(message('tck-input-required')));
  assert.equal(events.at(-1).status.state, 'input-required');
  assert.equal(events.at(-1).final, true);
});
await check('0.3: a second reader subscribes', async () => {
  const first = client.sendMessageStream(message('test-resubscribe-message-id'));
  const task = (await first.next()).value;
  const second = collect(client.resubscribeTask({ id: task.id }));
  const rest = await collect(first);
  const events = await second;
  assert.equal(events[0].kind, 'task');
  assert.deepEqual(events.at(-1), rest.at(-1));
});
await check('0.3: files and data have their old shape', async () => {
  const file = await client.sendMessage(message('tck-artifact-file'));
  assert.deepEqual(file.artifacts[0].parts, [{ kind: 'file', file: { bytes: 'aGVsbG8=' } }]);
  const data = await client.sendMessage(message('tck-artifact-data'));
  assert.deepEqual(data.artifacts[0].parts, [{ kind: 'data', data: { key: 'value' } }]);
});
await check('0.3: input, rejection, failure, login', async () => {
  const asks = await client.sendMessage(message('tck-input-required'));
  assert.equal(asks.status.state, 'input-required');
  const done = await client.sendMessage(message('m', 'more', { taskId: asks.id, contextId: asks.contextId }));
  assert.equal(done.status.state, 'completed');
  assert.equal((await client.sendMessage(message('tck-reject-task'))).status.state, 'rejected');
  assert.equal((await client.sendMessage(message('m', 'please-throw'))).status.state, 'failed');
  assert.equal((await client.sendMessage(message('m', 'ask-auth'))).status.state, 'auth-required');
});
await check('0.3: a slow task is returned at once and cancelled', async () => {
  const task = await client.sendMessage({ ...message('m', 'slow'), configuration: { blocking: false } });
  assert.equal((await client.cancelTask({ id: task.id })).status.state, 'canceled');
  assert.equal((await client.getTask({ id: task.id })).status.state, 'canceled');
});
await check('0.3: an unknown task is not found', async () => {
  await assert.rejects(client.getTask({ id: 'nobody' }), { name: 'TaskNotFoundError' });
});
await check('0.3: a webhook is kept, shown without its secrets, listed and deleted', async () => {
  const asks = await client.sendMessage(message('tck-input-required'));
  const config = { id: 'c1', url: 'http://127.0.0.1:9/hook', token: 'tk',
    authentication: { schemes: ['Bearer'], credentials: 'cr' } };
  await client.setTaskPushNotificationConfig({ taskId: asks.id, pushNotificationConfig: config });
  const which = { id: asks.id, pushNotificationConfigId: 'c1' };
  const shown = { id: 'c1', url: config.url, authentication: { schemes: ['Bearer'] } };
  assert.deepEqual((await client.getTaskPushNotificationConfig(which)).pushNotificationConfig, shown);
  const listed = await client.listTaskPushNotificationConfig({ id: asks.id });
  assert.deepEqual(listed, [{ taskId: asks.id, pushNotificationConfig: shown }]);
  await client.deleteTaskPushNotificationConfig(which);
  await assert.rejects(client.getTaskPushNotificationConfig(which));
});

finish(10);
