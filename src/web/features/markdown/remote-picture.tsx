import { ImageDown, LoaderCircle } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { toErrorInfo } from '#shared/errors/errors.ts';
import { api } from '../../state/session/api.ts';
import { Player } from '../media/player.tsx';

interface RemotePictureProps {
  /** A web address. */
  address: string;
  name: string;
}

const mostKept = 40;
/** Pictures that the reader asked for, until the page is left. */
const loaded = new Map<string, string>();

/** A picture of another host: nothing is asked of that host before a click, and then by ours. */
export function RemotePicture({ address, name }: RemotePictureProps): ReactElement {
  const t = useTranslations('markdown');
  const [source, setSource] = useState(loaded.get(address));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { host } = new URL(address);
  if (source !== undefined) return <Player kind="image" source={source} name={name} />;
  const load = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      setSource(keep(address, await api.files.picture(address)));
    } catch (error) {
      setProblem(toErrorInfo(error).message);
    }
    setBusy(false);
  };
  return (
    <span className="remote-picture" data-testid="remote-picture">
      <button type="button" disabled={busy} title={address} onClick={() => void load()}>
        {busy ? <LoaderCircle aria-hidden className="animate-spin" /> : <ImageDown aria-hidden />}
        <span className="min-w-0">
          <span className="block truncate">{name}</span>
          <span className="block truncate text-xs text-muted">{t('loadPicture', { host })}</span>
        </span>
      </button>
      {problem !== undefined && (
        <span role="alert" className="block px-3 pb-2 text-xs text-danger">
          {problem}
        </span>
      )}
    </span>
  );
}

function keep(address: string, picture: Blob): string {
  const [oldest] = loaded;
  if (oldest && loaded.size >= mostKept) {
    loaded.delete(oldest[0]);
    URL.revokeObjectURL(oldest[1]);
  }
  const source = URL.createObjectURL(picture);
  loaded.set(address, source);
  return source;
}
