import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Role } from '#shared/api/people-api.ts';

interface RoleSelectProps {
  id?: string;
  'aria-describedby'?: string;
  'aria-label'?: string;
  value: Role;
  disabled?: boolean;
  onChange: (role: Role) => void;
}

const roles: Role[] = ['user', 'admin'];

/** Chooses what somebody may do. */
export function RoleSelect({ value, onChange, ...rest }: RoleSelectProps): ReactElement {
  const t = useTranslations('people');
  return (
    <select
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value as Role)}
      className="input"
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {t(role)}
        </option>
      ))}
    </select>
  );
}
