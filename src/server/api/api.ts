import { createHash } from 'node:crypto';
import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import type { Remember } from '#chat/cluster/idempotency.ts';
import type { Host } from '#chat/host/host.ts';
import type { Visitor } from '#chat/people/visitor.ts';
import { serverErrorFor, withinOf } from '#chat/servers/key-rights.ts';
import type { Access } from './access.ts';
import type { Env } from './env.ts';
import { enter, readText } from './guard.ts';
import { describeApi, type RouteDescription } from './openapi.ts';
import { parseAs, parseBody } from './parse-body.ts';

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

interface RouteSpec<Path extends string, Query, Body> {
  summary: string;
  path: Path;
  access: Access;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  /** What it answers when all is well; 204 has no body. */
  status?: 200 | 201 | 202 | 204;
  response?: z.ZodType;
  /** A POST that makes a tool call: a repeat finds that by its key, so that only its name is kept. */
  makesCall?: true;
}

interface Call<Path extends string, Query, Body, Result> {
  owner: string;
  visitor: Visitor;
  params: Record<ParamNames<Path>, string>;
  query: Query;
  body: Body;
  c: Context<Env>;
  /** Given when the request carries an `Idempotency-Key`: stores the answer with what it did. */
  remember: Remember<Result> | undefined;
  /** The same request was answered before; only where what it did is to be found. */
  isRepeat: boolean;
}

type Handler<Path extends string, Query, Body, Result> = (
  call: Call<Path, Query, Body, Result>,
) => Promise<Result | Response>;

/** A route that browsers and probes open rather than programs: in no document, and read by no schema. */
interface PageSpec {
  path: string;
  access: Access;
}

/**
 * The routes of the API. Each says who may use it, is validated by its schemas, described by the same
 * schemas, and calls one function of the engine. A POST with an `Idempotency-Key` is done once.
 */
export class Api {
  readonly #app: Hono<Env>;
  readonly #host: Host;
  readonly #routes: RouteDescription[] = [];
  readonly #pages: (PageSpec & { method: 'get' | 'post' | 'delete' })[] = [];
  #document: string | undefined;

  constructor(app: Hono<Env>, host: Host) {
    this.#app = app;
    this.#host = host;
  }

  /** Every route with its access. */
  get routes(): { method: string; path: string; access: Access }[] {
    return [...this.#routes, ...this.#pages].map(({ method, path, access }) => ({
      method,
      path,
      access,
    }));
  }

  /** Undefined: there is nothing at this address after all. */
  page(spec: PageSpec, handler: (c: Context<Env>) => Promise<Response | undefined>): void {
    this.#pages.push({ method: 'get', ...spec });
    this.#app.get(spec.path, async (c, next) => {
      await enter(this.#host, c, spec.access);
      const response = await handler(c);
      if (response) return withoutBodyForHead(c, response);
      await next();
    });
  }

  /** A route of another protocol: in no document of ours, and its handler reads the body. */
  raw(
    method: 'get' | 'post' | 'delete',
    spec: PageSpec,
    handler: (c: Context<Env>) => Promise<Response>,
  ): void {
    this.#pages.push({ method, ...spec });
    this.#app.on(method.toUpperCase(), spec.path, async (c) => {
      await enter(this.#host, c, spec.access);
      return withoutBodyForHead(c, await handler(c));
    });
  }

  get<P extends string, Q, R extends object>(
    spec: RouteSpec<P, Q, undefined>,
    handler: Handler<P, Q, undefined, R>,
  ): void {
    this.#add('get', spec, handler);
  }

  post<P extends string, B, R extends object>(
    spec: RouteSpec<P, undefined, B>,
    handler: Handler<P, undefined, B, R>,
  ): void {
    this.#add('post', spec, handler);
  }

  /** A POST whose body the handler reads. It honours no `Idempotency-Key`: the same bytes are kept once anyway. */
  upload<P extends string, Q, R extends object>(
    spec: RouteSpec<P, Q, undefined> & { access: { body: 'large-json' | 'bytes' | 'lines' } },
    handler: Handler<P, Q, undefined, R>,
  ): void {
    this.#add('post', spec, handler);
  }

  patch<P extends string, B, R extends object>(
    spec: RouteSpec<P, undefined, B>,
    handler: Handler<P, undefined, B, R>,
  ): void {
    this.#add('patch', spec, handler);
  }

  put<P extends string, B, R extends object>(
    spec: RouteSpec<P, undefined, B>,
    handler: Handler<P, undefined, B, R>,
  ): void {
    this.#add('put', spec, handler);
  }

  delete<P extends string, Q, R extends object>(
    spec: RouteSpec<P, Q, undefined>,
    handler: Handler<P, Q, undefined, R>,
  ): void {
    this.#add('delete', spec, handler);
  }

  /** The OpenAPI document of every route that was added, as JSON; made once, which takes a while. */
  describe(): string {
    this.#document ??= JSON.stringify(describeApi(this.#routes));
    return this.#document;
  }

  #add<P extends string, Q, B, R extends object>(
    method: RouteDescription['method'],
    spec: RouteSpec<P, Q, B>,
    handle: Handler<P, Q, B, R>,
  ): void {
    const { access, status = 200 } = spec;
    const handler = access.looksAtServers ? withServerErrors(handle) : handle;
    if ((spec.body !== undefined) !== (access.body === 'json'))
      throw new Error(`${method} ${spec.path}: what is said of its body is not what it reads`);
    this.#routes.push({ method, ...spec });
    this.#app.on(method.toUpperCase(), spec.path, async (c) => {
      await enter(this.#host, c, access);
      const isRead = access.body === 'json' || access.body === 'none';
      const text =
        isRead && method !== 'get'
          ? await readText(c.req.raw, this.#host.limits[access.limit])
          : '';
      const call = {
        owner: c.var.owner,
        visitor: c.var.visitor,
        params: c.req.param() as unknown as Record<ParamNames<P>, string>,
        query: parse(spec.query, c.req.query()) as Q,
        body: parse(
          spec.body,
          spec.body && (text === '' ? {} : parseBody(text, this.#host.limits)),
        ) as B,
        c,
      };
      const isKept = method === 'post' && isRead && !access.secret;
      const key = isKept ? c.req.header('idempotency-key') : undefined;
      if (key) return this.#answerOnce(spec, handler, call, { key, text });
      const result = await handler({ ...call, remember: undefined, isRepeat: false });
      return present(c, result, status);
    });
  }

  /** The answer to a request that has a key: of several with the same one, the first is answered. */
  async #answerOnce<P extends string, Q, B, R extends object>(
    { status = 200, makesCall }: RouteSpec<P, Q, B>,
    handler: Handler<P, Q, B, R>,
    call: Omit<Call<P, Q, B, R>, 'remember' | 'isRepeat'>,
    { key, text }: { key: string; text: string },
  ): Promise<Response> {
    const requestHash = hash([call.c.req.path, text, ...limitsOf(call)]);
    const answer = await this.#host.once.run(
      { owner: call.owner, key, requestHash, isFound: makesCall === true },
      async (remember, isRepeat) => {
        const stored = (result: object) => ({ status, body: JSON.stringify(result) });
        const result = await handler({
          ...call,
          remember: (tx, early) => remember(tx, stored(early)),
          isRepeat,
        });
        const kept = (told: object) => makesCall && { kept: nameOfCall(told) };
        if (!(result instanceof Response)) return { ...stored(result), ...kept(result) };
        const body = await result.text();
        return { status: result.status, body, ...(makesCall && kept(JSON.parse(body))) };
      },
    );
    return new Response(answer.status === 204 ? null : answer.body, {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    });
  }
}

/** What goes wrong with a server is told to each as they may know it. */
function withServerErrors<P extends string, Q, B, R extends object>(
  handle: Handler<P, Q, B, R>,
): Handler<P, Q, B, R> {
  return async (call) => {
    try {
      return await handle(call);
    } catch (error) {
      throw serverErrorFor(call.visitor, error);
    }
  };
}

function present(
  c: Context<Env>,
  result: object | Response,
  status: 200 | 201 | 202 | 204,
): Response | Promise<Response> {
  if (result instanceof Response) return withoutBodyForHead(c, result);
  return status === 204 ? c.body(null, status) : c.json(result, status);
}

/** Nobody reads what answers a HEAD: a stream that was begun for it has to end here. */
async function withoutBodyForHead(c: Context<Env>, response: Response): Promise<Response> {
  if (c.req.raw.method !== 'HEAD') return response;
  await response.body?.cancel();
  return new Response(null, response);
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  return schema && parseAs(schema, value);
}

function nameOfCall({ toolCallId }: { toolCallId?: unknown }): string {
  return JSON.stringify({ toolCallId });
}

/** A key that is limited gets no answer that another one was given. */
function limitsOf({ visitor }: { visitor: Visitor | undefined }): string[] {
  const within = visitor && withinOf(visitor);
  return within ? [JSON.stringify(within)] : [];
}

function hash(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
