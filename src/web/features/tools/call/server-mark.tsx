import type { ReactElement } from 'react';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { hueOf, logoOf } from './server-logo.ts';

/** The logo of a server, or its first letter in a colour of its own. Says nothing that is not beside it. */
export function ServerMark(props: { serverId: string; serverName: string }): ReactElement {
  const { serverId, serverName } = props;
  const logo = useCatalog(({ servers }) =>
    logoOf(servers.find(({ id }) => id === serverId)?.config),
  );
  if (logo !== undefined)
    return <img src={logo} alt="" className="size-5 shrink-0 rounded-[0.3rem] object-contain" />;
  const hue = hueOf(serverName);
  return (
    <span
      aria-hidden
      className="grid size-5 shrink-0 place-items-center rounded-[0.3rem] text-[0.6875rem] leading-none font-semibold uppercase"
      style={{
        backgroundColor: `light-dark(oklch(0.92 0.045 ${hue}), oklch(0.33 0.05 ${hue}))`,
        color: `light-dark(oklch(0.42 0.11 ${hue}), oklch(0.86 0.08 ${hue}))`,
      }}
    >
      {String.fromCodePoint(serverName.trim().codePointAt(0) ?? 0xb7)}
    </span>
  );
}
