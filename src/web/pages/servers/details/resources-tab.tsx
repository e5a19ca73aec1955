import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { TemplateView } from '#shared/api/server-api.ts';
import { ArgumentFields } from '../../../features/contents/argument-fields.tsx';
import { expandTemplate, templateVariables } from '../../../features/contents/uri-template.ts';
import { ResourceLink } from '../../../features/tools/result/resource-link.tsx';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { FilterBox } from '../../../ui/controls/filter-box.tsx';

/** From here on the resources have to be searched, and only so many are drawn. */
const many = 8;
const most = 100;

/** What can be read from a server: its resources, and patterns of more of them. */
export function ResourcesTab({ serverId }: { serverId: string }): ReactElement {
  const t = useTranslations('serverContents');
  const common = useTranslations('common');
  const [query, setQuery] = useState('');
  const { value, error } = useLoaded((signal) => load(serverId, signal), serverId);
  if (error) return <ErrorNote error={error} />;
  if (!value) return <p className="text-sm text-muted">{common('loading')}</p>;
  const { resources, templates } = value;
  if (resources.length + templates.length === 0)
    return <p className="text-sm text-muted">{t('noResources')}</p>;
  const found = resources.filter(({ uri, name, title = '' }) =>
    `${uri} ${name} ${title}`.toLowerCase().includes(query.toLowerCase()),
  );
  return (
    <div className="space-y-3">
      {resources.length > many && (
        <FilterBox label={t('search')} value={query} onWrite={setQuery} />
      )}
      <ul className="space-y-2">
        {found.slice(0, most).map((resource) => (
          <li key={resource.uri} data-testid="server-resource">
            <ResourceLink part={{ type: 'resource_link', ...resource }} serverId={serverId} />
          </li>
        ))}
      </ul>
      {found.length > most && (
        <p className="text-xs text-muted">{t('more', { count: found.length - most })}</p>
      )}
      {templates.length > 0 && <h3 className="text-sm font-medium">{t('templates')}</h3>}
      {templates.map((template) => (
        <Template key={template.uriTemplate} serverId={serverId} template={template} />
      ))}
    </div>
  );
}

async function load(serverId: string, signal: AbortSignal) {
  const [{ resources }, { templates }] = await Promise.all([
    api.servers.resources(serverId, signal),
    api.servers.templates(serverId, signal),
  ]);
  return { resources, templates };
}

/** A pattern with its blanks, and the resource that they lead to. */
function Template({ serverId, template }: { serverId: string; template: TemplateView }) {
  const t = useTranslations('serverContents');
  const { uriTemplate, name, mimeType } = template;
  const [values, setValues] = useState<Record<string, string>>({});
  const [uri, setUri] = useState<string>();
  const args = templateVariables(uriTemplate).map((each) => ({ name: each, required: true }));
  return (
    <Form
      className="space-y-3 rounded-lg border border-line p-3.5 text-sm"
      data-testid="template"
      onSend={() => setUri(expandTemplate(uriTemplate, values))}
    >
      <TemplateWords template={template} />
      <ArgumentFields
        serverId={serverId}
        of={{ template: uriTemplate }}
        args={args}
        values={values}
        onChange={setValues}
      />
      <Button type="submit">{t('find')}</Button>
      {uri !== undefined && (
        <ResourceLink
          key={uri}
          part={{ type: 'resource_link', uri, name, ...(mimeType && { mimeType }) }}
          serverId={serverId}
        />
      )}
    </Form>
  );
}

function TemplateWords({ template }: { template: TemplateView }) {
  const { uriTemplate, name, title, description } = template;
  return (
    <div>
      <p className="font-medium break-words">
        <VisibleText text={title ?? name} />
      </p>
      <p className="font-mono text-xs break-all text-muted">
        <VisibleText text={uriTemplate} />
      </p>
      {description && <p className="text-xs break-words text-muted">{description}</p>}
    </div>
  );
}
