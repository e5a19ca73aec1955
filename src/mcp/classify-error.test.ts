import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { CeriseError } from '#shared/errors.ts';
import { classifyError, type Phase } from './classify-error.ts';

const refused = new TypeError('fetch failed', {
  cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
});
const reset = new TypeError('fetch failed', {
  cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
});
const closed = new SdkError(SdkErrorCode.ConnectionClosed, 'closed');
const http = (status: number): Error =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status });

const cases: [unknown, Phase, string][] = [
  [refused, 'connect', 'connection_refused'],
  [refused, 'call', 'connection_refused'],
  [new Error('SSE error: connect ECONNREFUSED 127.0.0.1:1'), 'connect', 'connection_refused'],
  [reset, 'list', 'connection_lost'],
  [reset, 'call', 'outcome_unknown'],
  [closed, 'connect', 'connection_lost'],
  [closed, 'call', 'outcome_unknown'],
  [new Error('Not connected'), 'call', 'connection_lost'],
  [new SdkError(SdkErrorCode.RequestTimeout, 'x'), 'list', 'timed_out'],
  [new SdkError(SdkErrorCode.InvalidResult, 'x'), 'call', 'unreadable_response'],
  [new SyntaxError('Unexpected token'), 'connect', 'unreadable_response'],
  [new ProtocolError(-32603, 'broken'), 'call', 'protocol_error'],
  [new ProtocolError(-32602, 'Tool x not found'), 'call', 'tool_not_found'],
  [new ProtocolError(-32602, 'Unknown tool: x'), 'call', 'tool_not_found'],
  [new ProtocolError(-32602, 'Invalid arguments for tool x'), 'call', 'protocol_error'],
  [http(500), 'call', 'http_error'],
  [http(504), 'connect', 'http_error'],
  [http(504), 'call', 'outcome_unknown'],
  [new Error('Error POSTing to endpoint (HTTP 403): no'), 'call', 'http_error'],
  ['just text', 'connect', 'connection_lost'],
];

describe('classifyError', () => {
  it.each(cases)('%s while in phase %s is %s', (error, phase, code) => {
    expect(classifyError(error, phase).code).toBe(code);
  });

  it('keeps our own errors, codes of the protocol and statuses', () => {
    const own = new CeriseError('command_not_found', 'x');
    expect(classifyError(own, 'connect')).toBe(own);
    expect(classifyError(new ProtocolError(-32603, 'x'), 'call').details).toEqual({ code: -32603 });
    expect(classifyError(http(418), 'list').details).toEqual({ status: 418 });
  });
});
