import {
  Brain,
  CircleHelp,
  Ear,
  Eye,
  FileText,
  ImagePlus,
  type LucideIcon,
  TriangleAlert,
  Wrench,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ModelInfo } from '#shared/vocabulary/model.ts';

type Capability = 'tools' | 'imagesIn' | 'audioIn' | 'filesIn' | 'imagesOut' | 'reasoning';

const marks = [
  ['tools', Wrench, 'canTools'],
  ['imagesIn', Eye, 'canImages'],
  ['audioIn', Ear, 'canAudio'],
  ['filesIn', FileText, 'canFiles'],
  ['imagesOut', ImagePlus, 'canDraw'],
  ['reasoning', Brain, 'canThink'],
] as const satisfies readonly (readonly [Capability, LucideIcon, string])[];

/** What a model can do, as small marks that say so to whoever listens or points. */
export function Capabilities({ model }: { model: ModelInfo }): ReactElement {
  const t = useTranslations('composer');
  const { capabilities, toolCheck } = model;
  const { contextTokens } = capabilities;
  return (
    <span className="flex shrink-0 items-center gap-1">
      {marks.map(
        ([capability, icon, text]) =>
          capabilities[capability] && <Mark key={capability} icon={icon} label={t(text)} />,
      )}
      {toolCheck === 'failed' && <Mark icon={TriangleAlert} label={t('toolCheckFailed')} />}
      {toolCheck === 'unknown' && <Mark icon={CircleHelp} label={t('toolCheckUnknown')} />}
      {!capabilities.tools && toolCheck !== 'failed' && (
        <Mark icon={TriangleAlert} label={t('cannotTools')} />
      )}
      {contextTokens !== undefined && (
        <span title={t('contextSize', { size: contextTokens })}>{shortCount(contextTokens)}</span>
      )}
    </span>
  );
}

function Mark({ icon: Icon, label }: { icon: LucideIcon; label: string }) {
  return (
    <span role="img" aria-label={label} title={label} className="[&_svg]:size-3">
      <Icon aria-hidden />
    </span>
  );
}

/** `128K`, `1M`. */
function shortCount(tokens: number): string {
  return tokens >= 1_000_000
    ? `${Math.floor(tokens / 100_000) / 10}M`
    : `${Math.round(tokens / 1000)}K`;
}
