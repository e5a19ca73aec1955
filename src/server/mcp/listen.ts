import { sseFrame } from '#shared/text/sse-frame.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { eventStream } from '../http/event-stream.ts';
import { metaPrefix } from './client.ts';
import type { McpContext } from './context.ts';
import { invalid } from './methods.ts';
import { notificationOf, resultOf, type RpcRequest } from './rpc.ts';

const subscriptionKey = `${metaPrefix}/subscriptionId`;
const maxResources = 100;
const lists = ['tools', 'prompts', 'resources'] as const;

/** Streams what a program subscribes to, after a confirmation. It ends with the credential or the host. */
export async function listen(
  { host, door }: McpContext,
  { id, params }: RpcRequest,
): Promise<Response> {
  const wanted = readFilter(params.notifications);
  return eventStream(host.limits, async (viewer) => {
    const send = (message: JsonObject) => viewer.send(sseFrame(message, 'message'), true);
    const tell = (method: string, about: JsonObject = {}) =>
      send(notificationOf(method, { ...about, _meta: { [subscriptionKey]: id } }));
    const end = () => {
      send(resultOf(id, { resultType: 'complete', _meta: { [subscriptionKey]: id } }));
      viewer.end();
    };
    const leave = await host.streams.add(door.visitor, end);
    let isAcknowledged = false;
    const subscribed = await subscribe(door, wanted.resources, (uri) => {
      if (isAcknowledged) tell('notifications/resources/updated', { uri });
    });
    const notifications = honoured({ ...wanted, resources: subscribed.map(({ uri }) => uri) });
    tell('notifications/subscriptions/acknowledged', { notifications });
    isAcknowledged = true;
    const unlisten = host.doors.listen(door, (news) => {
      if (news.kind === 'list' && wanted.lists.has(news.list))
        tell(`notifications/${news.list}/list_changed`);
    });
    const offs = subscribed.map(({ off }) => off);
    const leaving = [leave, ...offs, unlisten, host.doors.onClose(end)];
    return () => void Promise.allSettled(leaving.map(async (each) => each()));
  });
}

/** Resources that cannot be subscribed to are left out. */
async function subscribe(
  door: McpContext['door'],
  resources: readonly string[],
  onChange: (uri: string) => void,
): Promise<{ uri: string; off: () => Promise<void> }[]> {
  const subscribed: { uri: string; off: () => Promise<void> }[] = [];
  for (const uri of resources) {
    const off = await door.subscribe(uri, () => onChange(uri)).catch(() => undefined);
    if (off) subscribed.push({ uri, off });
  }
  return subscribed;
}

interface Filter {
  lists: ReadonlySet<string>;
  resources: string[];
}

function readFilter(value: unknown): Filter {
  if (!isJsonObject(value)) throw invalid('notifications');
  const { resourceSubscriptions: uris = [] } = value;
  const isList = Array.isArray(uris) && uris.every((uri) => typeof uri === 'string');
  if (!isList || uris.length > maxResources) throw invalid('notifications.resourceSubscriptions');
  return {
    lists: new Set(lists.filter((list) => value[`${list}ListChanged`] === true)),
    resources: uris,
  };
}

function honoured({ lists: wanted, resources }: Filter): JsonObject {
  return {
    ...Object.fromEntries([...wanted].map((list) => [`${list}ListChanged`, true])),
    ...(resources.length > 0 && { resourceSubscriptions: resources }),
  };
}
