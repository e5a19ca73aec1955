import { describe, expect, it } from 'vitest';
import { type DraftFile, parseDraft, revive } from './stored-draft.ts';

const file: DraftFile = {
  kind: 'file',
  key: 'k',
  name: 'a.txt',
  mimeType: 'text/plain',
  size: 1,
  state: 'ready',
  id: 'b1',
  at: Date.now(),
};

describe('a stored draft', () => {
  it('comes back as it was', () => {
    const draft = { text: 'hello', attachments: [file] };
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
  });

  it.for(['plain words', '{"half": ', '42', 'null', '{"text": 1, "attachments": []}'])(
    'is taken as text where it is none: %s',
    (stored) => expect(parseDraft(stored)).toEqual({ text: stored, attachments: [] }),
  );

  it('loses attachments that cannot be ones', () => {
    const attachments = [null, 7, { kind: 'file' }, { kind: 'gone', key: 'k', name: 'n' }, file];
    const stored = JSON.stringify({ text: '', attachments });
    expect(parseDraft(stored).attachments).toEqual([file]);
  });

  it('says which files did not get there or are gone by now', () => {
    expect(revive(file)).toEqual(file);
    expect(revive({ ...file, state: 'uploading' })).toMatchObject({ problem: 'interrupted' });
    const old = { ...file, at: Date.now() - 24 * 3_600_000 };
    expect(revive(old)).toMatchObject({ state: 'failed', problem: 'expired' });
  });
});
