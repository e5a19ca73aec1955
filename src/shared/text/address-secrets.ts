import { hiddenSecret } from './text.ts';

/** With its value or without: a name is never looked at twice. */
const parameter = /([?&])([^=&#]+)(?:=([^&#]+))?/g;
const placeholder = /^\$\{[^{}]+\}$/;
/** Letters and digits without a meaning: what a key looks like that has another name. */
const opaque = /^(?=.*\d)(?=.*[A-Za-z])[\w.~%+/-]{20,}={0,2}$/;

/** Whether what has this name is usually a secret. */
export function isSecretName(name: string): boolean {
  return /key|token|secret|password|passwd|pwd|auth|credential|signature/i.test(name);
}

/** The same address with each secret of its query changed; everything else stays byte for byte. */
export function mapAddressSecrets(
  address: string,
  change: (value: string, name: string) => string,
): string {
  return address.replaceAll(parameter, (whole, mark: string, name: string, value = '') => {
    if (value === '' || placeholder.test(value)) return whole;
    if (!isSecretName(name) && !opaque.test(value)) return whole;
    return `${mark}${name}=${change(value, name)}`;
  });
}

/** The names of the secrets that were sent back as they were shown. */
export function hiddenInAddress(address: string): string[] {
  const secrets: string[] = [];
  for (const [, , name = '', value = ''] of address.matchAll(parameter))
    if (isHidden(value)) secrets.push(name);
  return secrets;
}

/** The address with the secrets of the present one in the place of those that were only shown. */
export function restoreAddressSecrets(address: string, present: string): string {
  const values = new Map<string, string[]>();
  mapAddressSecrets(present, (value, name) => {
    values.set(name, [...(values.get(name) ?? []), value]);
    return value;
  });
  return address.replaceAll(parameter, (whole, mark: string, name: string, value = '') => {
    const kept = isHidden(value) ? values.get(name)?.shift() : undefined;
    return kept === undefined ? whole : `${mark}${name}=${kept}`;
  });
}

function isHidden(value: string): boolean {
  return value === hiddenSecret || value === encodeURIComponent(hiddenSecret);
}
