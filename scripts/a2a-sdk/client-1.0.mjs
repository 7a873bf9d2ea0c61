// The official client of A2A 1.0 drives the echo agent over one binding: client-1.0.mjs URL JSONRPC|HTTP+JSON|GRPC
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  CancelTaskRequest, GetTaskRequest, ListTasksRequest, Role, SendMessageRequest, SubscribeToTaskRequest,
  TaskPushNotificationConfig, TaskState,
} from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { check, collect, finish, receiver, until } from './checks.mjs';

const [url, binding] = process.argv.slice(2);
const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
  transports: [new GrpcTransportFactory()],
  preferredTransports: [binding],
});
const client = await new ClientFactory(options).createFromUrl(url);

const text = (value) => ({ text: value });

function message(prefix, parts = [text('hello')], more = {}) {
  return SendMessageRequest.fromJSON({
    message: { messageId: `${prefix}-${randomUUID()}`, role: 'ROLE_USER', parts, ...more.message },
    configuration: more.configuration,
  });
}

const send = (prefix, parts, more) => client.sendMessage(message(prefix, parts, more));
const stream = (prefix, parts) => collect(client.sendMessageStream(message(prefix, parts)));
const kinds = (events) => events.map((each) => each.payload.$case);
const state = (task) => TaskState[task.status.state].replace('TASK_STATE_', '');
const said = (task) => task.status.message.parts[0].content.value;
const content = (task) => task.artifacts[0].parts.map((part) => part.content);

async function refused(work, name) {
  await assert.rejects(work, (problem) => {
    // The class has the binding's name in front.
    assert.ok(problem.constructor.name.endsWith(name), problem.stack);
    return true;
  });
}

await check('the binding that was asked for is spoken', async () => {
  assert.equal(client.transport.protocolName, binding);
});
await check('anything else completes with its text', async () => {
  const task = await send('tck-complete-task');
  assert.equal(state(task), 'COMPLETED');
  assert.equal(said(task), 'echo: hello');
  assert.equal(task.history[0].parts[0].content.value, 'hello');
});
await check('a direct message is a message', async () => {
  const answer = await send('tck-message-response');
  assert.equal(answer.parts[0].content.value, 'directly');
  assert.equal(answer.role, Role.ROLE_AGENT);
});
await check('a task asks for input and goes on with it', async () => {
  const asks = await send('tck-input-required');
  assert.equal(state(asks), 'INPUT_REQUIRED');
  const done = await send('m', [text('more')], { message: { taskId: asks.id, contextId: asks.contextId } });
  assert.equal(done.id, asks.id);
  assert.equal(state(done), 'COMPLETED');
});
await check('a task is rejected', async () => assert.equal(state(await send('tck-reject-task')), 'REJECTED'));
await check('an artifact of text', async () => {
  assert.deepEqual(content(await send('tck-artifact-text')), [{ $case: 'text', value: 'an artifact' }]);
});
await check('an artifact with bytes', async () => {
  const [part] = content(await send('tck-artifact-file'));
  assert.equal(part.$case, 'raw');
  assert.equal(Buffer.from(part.value).toString(), 'hello');
});
await check('an artifact with an address', async () => {
  const [part] = content(await send('tck-artifact-file-url'));
  assert.deepEqual(part, { $case: 'url', value: 'https://example.com/file.txt' });
});
await check('an artifact of data', async () => {
  assert.deepEqual(content(await send('tck-artifact-data')), [{ $case: 'data', value: { key: 'value' } }]);
});
await check('data comes back unchanged', async () => {
  for (const value of [{ a: [1, 'b', null, { c: false }] }, [1, 2], 'text', 7, true]) {
    assert.deepEqual(content(await send('m', [{ data: value }])), [{ $case: 'data', value }]);
  }
});
await check('a stream shows the task, its work, an artifact and its end', async () => {
  const events = await stream('tck-stream');
  assert.deepEqual(kinds(events), ['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);
  assert.equal(state(events.at(1).payload.value), 'WORKING');
  assert.equal(state(events.at(-1).payload.value), 'COMPLETED');
});
await check('an artifact in chunks is merged in the task', async () => {
  const events = await stream('tck-stream-artifact-chunked');
  const chunks = events.filter((each) => each.payload.$case === 'artifactUpdate').map((each) => each.payload.value);
  assert.deepEqual(chunks.map((each) => [each.append, each.lastChunk]), [[false, false], [true, true]]);
  const task = await client.getTask(GetTaskRequest.fromJSON({ id: chunks[0].taskId }));
  assert.equal(content(task).map((part) => part.value).join(''), 'Hello world');
});
await check('a direct message is the whole stream', async () => {
  assert.deepEqual(kinds(await stream('tck-message-response')), ['message']);
});
await check('many events come in order', async () => {
  const events = await stream('m', [text('emit 200 events')]);
  const told = events.filter((each) => each.payload.$case === 'statusUpdate')
    .map((each) => each.payload.value.status.message?.parts[0].content.value)
    .filter((each) => each?.startsWith('event '));
  assert.deepEqual(told, Array.from({ length: 200 }, (_, i) => `event ${i + 1}`));
});
await check('a second reader subscribes to a task that is under way', async () => {
  const first = client.sendMessageStream(message('test-resubscribe-message-id'));
  const task = (await first.next()).value.payload.value;
  const second = collect(client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id: task.id })));
  const rest = await collect(first);
  const events = await second;
  assert.equal(events[0].payload.$case, 'task');
  assert.equal(state(rest.at(-1).payload.value), 'COMPLETED');
  assert.deepEqual(events.at(-1), rest.at(-1));
});
await check('an ended task is not subscribed to', async () => {
  const task = await send('m');
  await refused(collect(client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id: task.id }))),
    'UnsupportedOperationError');
});
await check('an agent that throws is a failed task', async () => {
  assert.equal(state(await send('m', [text('please-throw')])), 'FAILED');
});
await check('a task asks for a login', async () => {
  assert.equal(state(await send('m', [text('ask-auth')])), 'AUTH_REQUIRED');
});
await check('a slow task is returned at once and cancelled', async () => {
  const task = await send('m', [text('slow')], { configuration: { returnImmediately: true } });
  assert.ok(['SUBMITTED', 'WORKING'].includes(state(task)), state(task));
  assert.equal(state(await client.cancelTask(CancelTaskRequest.fromJSON({ id: task.id }))), 'CANCELED');
  const ended = await send('m');
  await refused(client.cancelTask(CancelTaskRequest.fromJSON({ id: ended.id })), 'TaskNotCancelableError');
});
await check('tasks of a context are listed in pages', async () => {
  const contextId = `ctx-${randomUUID()}`;
  for (let i = 0; i < 3; i++) {
    await send('m', undefined, { message: { contextId } });
  }
  const found = new Set();
  let pageToken = '';
  do {
    const page = await client.listTasks(ListTasksRequest.fromJSON({ contextId, pageSize: 2, pageToken }));
    assert.equal(page.totalSize, 3);
    page.tasks.forEach((task) => found.add(task.id));
    pageToken = page.nextPageToken;
  } while (pageToken);
  assert.equal(found.size, 3);
});
await check('an unknown task is not found', async () => {
  await refused(client.getTask(GetTaskRequest.fromJSON({ id: 'nobody' })), 'TaskNotFoundError');
});
await check('a webhook is kept, told in order with its secrets, shown without them and deleted', async () => {
  const hook = await receiver();
  try {
    const asks = await send('tck-input-required');
    const given = TaskPushNotificationConfig.fromJSON({
      taskId: asks.id, id: 'c1', url: hook.url, token: 'tk', authentication: { scheme: 'Bearer', credentials: 'cr' },
    });
    assert.equal((await client.createTaskPushNotificationConfig(given)).id, 'c1');
    const which = { taskId: asks.id, id: 'c1', tenant: '' };
    const shown = await client.getTaskPushNotificationConfig(which);
    assert.equal(shown.url, hook.url);
    assert.equal(shown.token, '');
    assert.equal(shown.authentication.credentials, '');
    const listed = await client.listTaskPushNotificationConfig({ taskId: asks.id, tenant: '', pageSize: 0,
      pageToken: '' });
    assert.equal(listed.configs.length, 1);
    await client.createTaskPushNotificationConfig({ ...given, id: 'c2' });
    await client.deleteTaskPushNotificationConfig({ ...which, id: 'c2' });
    await refused(client.getTaskPushNotificationConfig({ ...which, id: 'c2' }), 'TaskNotFoundError');
    await send('tck-artifact-text', undefined, { message: { taskId: asks.id } });
    const told = () => hook.posts.map((post) => Object.keys(post.body)[0]);
    await until(() => hook.posts.at(-1)?.body.statusUpdate?.status.state === 'TASK_STATE_COMPLETED', 'the end');
    assert.deepEqual(told(), ['statusUpdate', 'artifactUpdate', 'statusUpdate']);
    assert.equal(hook.posts[0].headers.authorization, 'Bearer cr');
    assert.equal(hook.posts[0].headers['x-a2a-notification-token'], 'tk');
    assert.equal(hook.posts[0].headers['content-type'], 'application/a2a+json');
  } finally {
    hook.close();
  }
});

finish(22);
