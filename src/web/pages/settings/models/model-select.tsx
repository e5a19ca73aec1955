import type { ReactElement } from 'react';
import { usePickableModels } from '../../../state/catalog/catalog.ts';

interface ModelSelectProps {
  /** Absent: none is chosen. */
  value: string | undefined;
  /** What choosing none means; absent: one has to be chosen. */
  none?: string;
  onChoose: (model: string | undefined) => void;
}

/** A plain list of models, by provider. What is hidden elsewhere is here only while it is chosen. */
export function ModelSelect(props: ModelSelectProps & Record<string, unknown>): ReactElement {
  const { value, none, onChoose, ...rest } = props;
  const models = usePickableModels(value);
  const groups = Map.groupBy(models, ({ providerName }) => providerName);
  const isKnown = value === undefined || models.some(({ id }) => id === value);
  return (
    <select
      {...rest}
      value={value ?? ''}
      onChange={(event) => onChoose(event.target.value || undefined)}
      className="input"
    >
      {none !== undefined && <option value="">{none}</option>}
      {!isKnown && <option value={value}>{value}</option>}
      {[...groups].map(([provider, own]) => (
        <optgroup key={provider} label={provider}>
          {own.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
