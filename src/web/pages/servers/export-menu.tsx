import { Menu } from '@base-ui/react/menu';
import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ExportFormat } from '#shared/api/import-api.ts';
import { api } from '../../state/session/api.ts';
import { MenuPopup } from '../../ui/controls/menu-popup.tsx';
import { showFailure } from '../../ui/notices/notices.ts';
import { saveText } from '../../ui/text/save-text.ts';

const files: Record<ExportFormat, string> = {
  cerise: 'cerise-servers.json',
  claude: 'claude_desktop_config.json',
  vscode: 'mcp.json',
};

/** Saves the servers as settings of this or another host, without their secrets. */
export function ExportMenu(): ReactElement {
  const t = useTranslations('serverImport');
  const save = async (format: ExportFormat) => {
    const settings = await api.servers.exportAll(format);
    saveText(`${JSON.stringify(settings, null, 2)}\n`, files[format], 'application/json');
  };
  return (
    <Menu.Root>
      <Menu.Trigger className="button button-plain" data-testid="export-servers">
        <Download aria-hidden />
        {t('export')}
      </Menu.Trigger>
      <MenuPopup className="w-60" align="end" heading={t('withoutSecrets')}>
        {(['cerise', 'claude', 'vscode'] as const).map((format) => (
          <Menu.Item
            key={format}
            className="menu-item"
            onClick={() => void save(format).catch(showFailure)}
          >
            {t(`formats.${format}`)}
          </Menu.Item>
        ))}
      </MenuPopup>
    </Menu.Root>
  );
}
