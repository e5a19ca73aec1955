import { describe, expect, it } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { RpcError } from '../protocol/messages.ts';
import { classifyError } from './classify-error.ts';

describe('what a server answered', () => {
  it.each([
    ['call', -32602, 'Tool nope not found', 'tool_not_found'],
    ['call', -32601, 'Unknown tool: nope', 'tool_not_found'],
    ['call', -32602, 'Invalid arguments', 'protocol_error'],
    ['list', -32602, 'Tool nope not found', 'protocol_error'],
    ['list', -32002, 'Resource not found', 'not_found'],
    ['read', -32002, 'Resource not found', 'not_found'],
    ['read', -32602, 'Resource not found', 'not_found'],
    ['connect', -32603, 'Internal error', 'protocol_error'],
  ] as const)('while we %s, error %i "%s" is %s', (phase, code, message, meaning) => {
    expect(classifyError(new RpcError({ code, message }), phase)).toMatchObject({
      code: meaning,
      message: expect.stringContaining(message),
      details: { code },
    });
  });
});

describe('a lost connection', () => {
  const lost = new CeriseError('connection_lost', 'Gone.');

  it('leaves the outcome of a call unknown, and of nothing else', () => {
    expect(classifyError(lost, 'call').code).toBe('outcome_unknown');
    expect(classifyError(lost, 'list')).toBe(lost);
    expect(classifyError(lost, 'connect')).toBe(lost);
  });

  it('leaves nothing unknown that was never sent or was refused', () => {
    const unsent = new CallError('never-left', 'connection_lost', 'Gone.');
    const refused = new CeriseError('connection_refused', 'Nobody there.');
    expect(classifyError(unsent, 'call')).toBe(unsent);
    expect(classifyError(refused, 'call')).toBe(refused);
  });
});

it('keeps an error of ours to itself', () => {
  const error = classifyError(new TypeError('x is not a function'), 'call');
  expect(error).toMatchObject({ code: 'internal' });
  expect(error.message).not.toContain('function');
});
