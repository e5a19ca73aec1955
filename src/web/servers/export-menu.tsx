import { Menu } from '@base-ui/react/menu';
import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ExportFormat } from '#shared/import-api.ts';
import { serversApi } from '../api/servers-api.ts';
import { saveText } from '../markdown/save-text.ts';
import { showFailure } from '../state/notices.ts';

const files: Record<ExportFormat, string> = {
  cerise: 'cerise-servers.json',
  claude: 'claude_desktop_config.json',
  vscode: 'mcp.json',
};

/** Saves the servers as settings of this or another host, without their secrets. */
export function ExportMenu(): ReactElement {
  const t = useTranslations('serverImport');
  const save = async (format: ExportFormat) => {
    const settings = await serversApi.exportAll(format);
    saveText(`${JSON.stringify(settings, null, 2)}\n`, files[format], 'application/json');
  };
  return (
    <Menu.Root>
      <Menu.Trigger className="button button-plain" data-testid="export-servers">
        <Download aria-hidden />
        {t('export')}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-30">
          <Menu.Popup className="popup w-60 p-1.5">
            <Menu.Group>
              <Menu.GroupLabel className="px-2.5 pt-1 pb-1.5 text-xs text-muted">
                {t('withoutSecrets')}
              </Menu.GroupLabel>
              {(['cerise', 'claude', 'vscode'] as const).map((format) => (
                <Menu.Item
                  key={format}
                  className="menu-item"
                  onClick={() => void save(format).catch(showFailure)}
                >
                  {t(`formats.${format}`)}
                </Menu.Item>
              ))}
            </Menu.Group>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
