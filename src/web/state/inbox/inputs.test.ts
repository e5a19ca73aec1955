import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { InputView } from '#shared/api/input-api.ts';
import { api } from '../session/api.ts';
import { dropInput, loadInputs, openInput, useInputs } from './inputs.ts';

const patience = { timeout: 20_000 };

const question = (id: string): InputView => ({
  id,
  kind: 'url',
  serverId: 's',
  serverName: 's',
  createdAt: 0,
  message: '',
  url: 'https://a.example/',
});
const shown = () => useInputs.getState().inputs.map(({ id }) => id);

beforeEach(() => {
  vi.restoreAllMocks();
  useInputs.setState({ inputs: [] });
});

describe('the open questions', () => {
  it('do not come back with a list that was on its way when they were answered', async () => {
    const { promise, resolve } = Promise.withResolvers<{ inputs: InputView[] }>();
    vi.spyOn(api.inputs, 'list').mockReturnValueOnce(promise);
    const loading = loadInputs();
    dropInput('a');
    resolve({ inputs: [question('a'), question('b')] });
    await loading;
    expect(shown()).toEqual(['b']);
  });

  it('come back when they are asked again', async () => {
    dropInput('c');
    vi.spyOn(api.inputs, 'list').mockResolvedValue({ inputs: [question('c')] });
    openInput('c');
    await vi.waitFor(() => expect(shown()).toEqual(['c']), patience);
  });

  it('are read once more where one was asked while they were read', async () => {
    const first = Promise.withResolvers<{ inputs: InputView[] }>();
    const list = vi
      .spyOn(api.inputs, 'list')
      .mockReturnValueOnce(first.promise)
      .mockResolvedValue({ inputs: [question('d')] });
    void loadInputs();
    openInput('d');
    openInput('d');
    first.resolve({ inputs: [] });
    await vi.waitFor(() => expect(shown()).toEqual(['d']), patience);
    expect(list).toHaveBeenCalledTimes(2);
  });
});
