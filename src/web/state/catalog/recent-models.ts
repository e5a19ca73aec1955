const storageKey = 'cerise.recentModels';
const most = 3;

/** The models that were chosen last in this browser, newest first. */
export function recentModels(): string[] {
  return (localStorage.getItem(storageKey) ?? '').split('\n').filter((id) => id !== '');
}

/** Remembers that a model was chosen. */
export function rememberModel(model: string): void {
  const recent = [model, ...recentModels().filter((id) => id !== model)].slice(0, most);
  localStorage.setItem(storageKey, recent.join('\n'));
}
