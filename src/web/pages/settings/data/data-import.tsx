import { Upload } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ImportResult } from '#shared/api/data-api.ts';
import { type ErrorCode, type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FileButton } from '../../../ui/controls/file-button.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { inLine, useReason } from '../../../ui/notices/use-reason.ts';
import { CheckField } from '../../../ui/controls/checkbox.tsx';

/** How far an import is: chosen and looked at, or done. */
type Step =
  | { at: 'busy'; file: File }
  | { at: 'shown'; file: File; result: ImportResult }
  | { at: 'done'; result: ImportResult };

/** Brings in an export file: says what is in it first. */
export function DataImport({ onImported }: { onImported: () => void }): ReactElement {
  const t = useTranslations('data');
  const { step, error, copies, look, bringIn, forget } = useImport(onImported);
  return (
    <div className="space-y-3" aria-busy={step?.at === 'busy'}>
      <FileButton
        accept=".jsonl,application/x-ndjson"
        inputTestId="import-file"
        disabled={step?.at === 'busy'}
        onFile={(file) => look(file, copies)}
        className="inline-flex items-center gap-2"
      >
        <Upload aria-hidden className="size-4" />
        {t('importAction')}
      </FileButton>
      <div role="status" className="text-sm">
        {step?.at === 'busy' && t('reading', { name: step.file.name })}
        {step?.at === 'done' && <Counts title={t('imported')} result={step.result} />}
        {step?.at === 'shown' && (
          <Counts title={t('wouldImport', { name: step.file.name })} result={step.result} />
        )}
      </div>
      {step?.at === 'shown' && (
        <Question
          copies={copies}
          onCopies={(on) => look(step.file, on)}
          onImport={() => bringIn(step.file)}
          onForget={forget}
        />
      )}
      {error && <ErrorNote error={error} />}
    </div>
  );
}

interface QuestionProps {
  copies: boolean;
  onCopies: (copies: boolean) => void;
  onImport: () => void;
  onForget: () => void;
}

/** Whether what is in the file should come in, and how. */
function Question({ copies, onCopies, onImport, onForget }: QuestionProps) {
  const t = useTranslations('data');
  return (
    <>
      <CheckField label={t('copies')} checked={copies} onCheck={onCopies} />
      <div className="flex gap-2">
        <Button variant="primary" data-testid="import-now" onClick={onImport}>
          {t('importNow')}
        </Button>
        <Button onClick={onForget}>{t('notNow')}</Button>
      </div>
    </>
  );
}

function useImport(onImported: () => void) {
  const [step, setStep] = useState<Step>();
  const [error, setError] = useState<ErrorInfo>();
  const [copies, setCopies] = useState(false);
  const send = async (file: File, dryRun: boolean, asCopies: boolean) => {
    setStep({ at: 'busy', file });
    setError(undefined);
    setCopies(asCopies);
    try {
      const result = await api.data.import(file, { dryRun, copies: asCopies });
      setStep(dryRun ? { at: 'shown', file, result } : { at: 'done', result });
      if (!dryRun) onImported();
    } catch (failure) {
      setStep(undefined);
      setError(toErrorInfo(failure));
    }
  };
  return {
    step,
    error,
    copies,
    look: (file: File, asCopies: boolean) => void send(file, true, asCopies),
    bringIn: (file: File) => void send(file, false, copies),
    forget: () => setStep(undefined),
  };
}

function Counts({ title, result }: { title: string; result: ImportResult }) {
  const t = useTranslations('data');
  const told = useReason();
  const { topics, messages, files, assistants, servers, skippedTopics, leftOut } = result;
  return (
    <div className="card px-3.5 py-3" data-testid="import-counts">
      <p className="font-medium break-words">{title}</p>
      <p className="mt-1">{t('counts', { topics, messages, files, assistants, servers })}</p>
      {skippedTopics > 0 && <p className="mt-1 text-muted">{t('skipped', { skippedTopics })}</p>}
      {servers > 0 && <p className="mt-1 text-muted">{t('drafts')}</p>}
      {leftOut.map(({ name, reason, reasonSaid, code }) => (
        <p key={name} className="mt-1 break-words text-danger">
          {t('leftOut', {
            name,
            reason: inLine(
              told({ code: code as ErrorCode, message: reason, messageSaid: reasonSaid }),
            ),
          })}
        </p>
      ))}
    </div>
  );
}
