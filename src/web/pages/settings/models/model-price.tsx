import { type ReactElement, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { ModelInfo, ModelPrice } from '#shared/vocabulary/model.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { PopOver } from '../../../ui/controls/pop-over.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { InputField } from '../../../ui/controls/labelled.tsx';

interface ModelPriceProps {
  /** The model's name for people. */
  name: string;
  price: ModelPrice | undefined;
  /** What its vendor says; holds while no price is set. */
  listPrice: ModelInfo['listPrice'];
  readOnly: boolean;
  /** Null removes the price. */
  onSet: (price: ModelPrice | null) => Promise<void>;
}

/** What a model costs, to see and to set. */
export function ModelPriceButton(props: ModelPriceProps): ReactElement | null {
  const { name, price, listPrice, readOnly, onSet } = props;
  const t = useTranslations('settings');
  const [open, setOpen] = useState(false);
  const { text, from, title } = usePrice(price, listPrice);
  if (readOnly)
    return text === undefined ? null : (
      <span className="text-xs text-muted tabular-nums" title={title}>
        {text}
      </span>
    );
  const set = (next: ModelPrice | null) => {
    onSet(next)
      .then(() => setOpen(false))
      .catch(showFailure);
  };
  return (
    <PopOver
      label={t('priceOf', { name })}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          data-testid="model-price"
          title={title}
          className="min-w-24 shrink-0 rounded-md px-1.5 py-1 text-right text-xs text-muted tabular-nums hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
        >
          {text ?? t('priceSet')}
          <span className="sr-only"> – {t('priceOf', { name })}</span>
        </button>
      }
    >
      <PriceForm price={price} listPrice={listPrice} from={from} onSet={set} />
    </PopOver>
  );
}

/** The price that holds as a text, where it comes from, and what it is for. */
function usePrice(price: ModelPrice | undefined, listPrice: ModelInfo['listPrice']) {
  const t = useTranslations('settings');
  const from = useSource(price ? undefined : listPrice);
  const title = [t('priceUnit'), from].filter(Boolean).join(' – ');
  return { text: usePriceText(price ?? listPrice), from, title };
}

/** Where a list price comes from, and of when it is. */
function useSource(listPrice: ModelInfo['listPrice']): string | undefined {
  const t = useTranslations('settings');
  const { dateTime } = useFormatter();
  if (!listPrice) return undefined;
  const { source, at } = listPrice;
  return t('priceFrom', { source, date: dateTime(at, { dateStyle: 'medium' }) });
}

const parts = ['input', 'output', 'cachedInput', 'cacheWrite'] as const;
const labels = {
  input: 'priceInput',
  output: 'priceOutput',
  cachedInput: 'priceCached',
  cacheWrite: 'priceCacheWrite',
} as const;

interface PriceFormProps extends Pick<ModelPriceProps, 'price' | 'listPrice'> {
  /** Where the price that holds comes from. */
  from: string | undefined;
  onSet: (price: ModelPrice | null) => void;
}

function PriceForm({ price, listPrice, from, onSet }: PriceFormProps) {
  const t = useTranslations('settings');
  const common = useTranslations('common');
  return (
    <Form
      onSend={(form) => onSet(readPrice(form))}
      className="space-y-3 p-2"
      data-testid="price-form"
    >
      <div className="grid grid-cols-2 gap-3">
        {parts.map((part) => (
          <InputField
            key={part}
            label={t(labels[part])}
            name={part}
            type="number"
            inputMode="decimal"
            min={0}
            step="any"
            required={part === 'input' || part === 'output'}
            defaultValue={(price ?? listPrice)?.[part]}
          />
        ))}
      </div>
      <p className="text-xs text-muted">{t('priceHint')}</p>
      {from && <p className="text-xs text-muted">{from}</p>}
      <div className="flex justify-end gap-2">
        {price && <Button onClick={() => onSet(null)}>{t('priceRemove')}</Button>}
        <Button type="submit" variant="primary">
          {common('save')}
        </Button>
      </div>
    </Form>
  );
}

function readPrice(form: FormData): ModelPrice {
  const amount = (part: string) => Number(form.get(part));
  const given = parts.filter((part) => form.get(part) !== '');
  return {
    input: amount('input'),
    output: amount('output'),
    ...Object.fromEntries(given.map((part) => [part, amount(part)])),
  };
}

/** Dollars for input and output, with the digits that were given. */
function usePriceText(price: ModelPrice | undefined): string | undefined {
  const { number } = useFormatter();
  const dollars = (amount: number) =>
    number(amount, {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
      maximumFractionDigits: 6,
    });
  return price && `${dollars(price.input)} / ${dollars(price.output)}`;
}
