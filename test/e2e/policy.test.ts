import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PolicyDocument } from '#shared/vocabulary/policy-api.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { ask, ended, send } from './page.ts';
import { named, t } from './texts.ts';

describe.skipIf(!hasChromium())('the rules of approval in the page', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  const policy = () => app.api<PolicyDocument>('/policy');

  beforeAll(async () => {
    ({ app, page } = await visit.page({ context: { blank: true } }));
  });

  it('writes a rule with pickers, and the rule decides', async () => {
    await open(page, app);
    await page.getByRole('button', named('policy.addRule')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', named('policy.actions.deny')).check();
    await dialog.getByTestId('pick-server').selectOption('filesystem');
    await dialog.getByTestId('pick-tool').fill('write_*');
    await dialog.getByRole('button', named('policy.addCondition')).click();
    await dialog.getByRole('textbox', named('policy.pointer')).fill('path');
    await dialog.getByText(t('policy.problems.pointer')).waitFor();
    await dialog.getByRole('textbox', named('policy.pointer')).fill('/path');
    await dialog.getByRole('combobox', named('policy.kind')).selectOption('prefix');
    await dialog.getByRole('textbox', named('policy.value')).fill('secret/');
    await dialog.getByRole('textbox', named('policy.note')).fill('Nothing goes there');
    await page.getByRole('button', named('common.save')).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await policy()).rules).toMatchObject([
      {
        action: 'deny',
        serverId: 'filesystem',
        toolName: 'write_*',
        arguments: [{ pointer: '/path', prefix: 'secret/' }],
        note: 'Nothing goes there',
      },
    ]);
    await page.getByTestId('new-chat').click();
    const answer = await ask(page, '/call write_file {"path":"secret/a.txt","content":"x"}');
    expect(answer.blocks[0]?.text).toContain('Nothing goes there');
    expect(existsSync(join(app.home, 'workspace/secret/a.txt'))).toBe(false);
  });

  it('says what would happen, and by which rule', async () => {
    await open(page, app);
    const tester = page.getByTestId('policy-tester');
    await tester.getByTestId('pick-server').selectOption('filesystem');
    await tester.getByTestId('test-tool').selectOption('write_file');
    await tester.getByLabel('path').fill('secret/b.txt');
    await tester.getByRole('button', named('policy.test')).click();
    const verdict = tester.getByTestId('verdict');
    await verdict.getByText(t('policy.verdicts.deny')).waitFor();
    await verdict.getByText('Nothing goes there').waitFor();
    await tester.getByLabel('path').fill('open/b.txt');
    await tester.getByRole('button', named('policy.test')).click();
    await verdict.getByText(t('policy.verdicts.ask')).waitFor();
    await verdict.getByText(t('approval.reasons.may_destroy')).waitFor();
  });

  it('moves, changes and deletes rules', async () => {
    const { rules, trustedServers, safeToRepeat } = await policy();
    const more = [...rules, { action: 'ask' as const, note: 'second' }];
    await app.api('/policy', {
      method: 'PUT',
      body: { rules: more, trustedServers, safeToRepeat },
    });
    await open(page, app);
    const rows = page.getByTestId('policy-rule');
    await rows.nth(1).getByRole('button', named('policy.up')).click();
    await rows.first().filter({ hasText: 'second' }).waitFor();
    await rows.first().getByRole('button', named('common.edit')).click();
    await page.getByRole('dialog').getByRole('radio', named('policy.actions.allow')).check();
    await page.getByRole('button', named('common.save')).click();
    await rows
      .first()
      .filter({ hasText: t('policy.actions.allow') })
      .waitFor();
    expect((await policy()).rules.map(({ action }) => action)).toEqual(['allow', 'deny']);
    await rows.first().getByRole('button', named('common.delete')).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    expect((await policy()).rules).toHaveLength(1);
  });

  it('explains a change that met another one', async () => {
    await open(page, app);
    await page.getByTestId('policy-rule').waitFor();
    const { rules, trustedServers, safeToRepeat } = await policy();
    const more = [...rules, { action: 'ask' as const, note: 'from elsewhere' }];
    await app.api('/policy', {
      method: 'PUT',
      body: { rules: more, trustedServers, safeToRepeat },
    });
    await page
      .getByTestId('policy-rule')
      .first()
      .getByRole('button', named('common.delete'))
      .click();
    await page.getByText(t('policy.conflict')).waitFor();
    await page.getByTestId('policy-rule').filter({ hasText: 'from elsewhere' }).waitFor();
    expect((await policy()).rules).toHaveLength(2);
  });

  it('lists what was remembered apart, and forgets it', async () => {
    await page.getByTestId('new-chat').click();
    await send(page, '/call write_file {"path":"r.txt","content":"1"}');
    await page.getByTestId('approval-scope').selectOption('always');
    await page.getByTestId('approve').click();
    await ended(page, 0);
    await open(page, app);
    const remembered = page.getByTestId('remembered');
    await remembered.getByText('write_file').waitFor();
    await remembered.getByTestId('forget').click();
    await remembered.getByText(t('policy.noRemembered')).waitFor();
    await page.getByTestId('new-chat').click();
    await send(page, '/call write_file {"path":"r.txt","content":"2"}');
    await page.getByTestId('deny').click();
    await ended(page, 0);
  });

  it('has no serious barrier, with the editor of a rule open too', async () => {
    await open(page, app);
    await page.getByTestId('policy-rule').first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', named('policy.addRule')).click();
    await page.getByRole('button', named('policy.addCondition')).click();
    expect(await barriers(page)).toEqual([]);
  });
});

async function open(page: Page, app: App): Promise<void> {
  await page.goto(`${app.url}/settings/approvals`);
  await page.getByTestId('policy-rules').waitFor();
}
