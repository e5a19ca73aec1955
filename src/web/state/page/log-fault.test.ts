import { expect, it, vi } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import { logFault } from './log-fault.ts';

it('tells of faults, not of a host that is away', () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    logFault(new CeriseError('connection_lost', 'The host cannot be reached.'));
    expect(told).not.toHaveBeenCalled();
    const fault = new Error('a bug');
    logFault(fault);
    expect(told).toHaveBeenCalledExactlyOnceWith(fault);
  } finally {
    told.mockRestore();
  }
});
