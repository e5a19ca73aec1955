import { expect, it } from 'vitest';
import { pickedTextId } from '#shared/messages/builtin-tool.ts';
import { zhDescribedServers } from '#shared/messages/zh-described-servers.ts';
import { pickedServers } from './picked-servers.ts';

it('has the description and the questions of every picked server in Chinese, and of no other', () => {
  const known = Object.keys(zhDescribedServers).filter((id) => id.startsWith('picked/'));
  const asked = pickedServers
    .flatMap(({ packages }) => packages.flatMap((one) => one.packageArguments))
    .flatMap((one) => ('description' in one ? [pickedTextId(String(one.description))] : []));
  const ids = new Set([
    ...pickedServers.map(({ description }) => pickedTextId(description)),
    ...asked,
  ]);
  expect(known.toSorted()).toEqual([...ids].toSorted());
});

it('stumble: suggests first what Cerise does not have built in', () => {
  const first = pickedServers.slice(0, 4).map(({ title }) => title);
  expect(first).toEqual(['Everything', 'Playwright', 'SQLite', 'ESLint']);
});
