/**
 * The files on a clipboard. Text that was copied together with a picture of itself, as office
 * programs do, is pasted as text.
 */
export function pastedFiles(data: DataTransfer): File[] {
  if (data.types.includes('text/plain')) return [];
  return [...data.files].map(named);
}

/** The files that were dropped, and whether folders were among them. */
export function droppedFiles(data: DataTransfer): { files: File[]; hasFolder: boolean } {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true;
  const files = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []);
  return { files, hasFolder: items.some(isFolder) };
}

/** Every pasted picture is called `image.png`; the time tells them apart. */
function named(file: File): File {
  if (file.name !== 'image.png' && file.name !== '') return file;
  const time = new Date().toISOString().slice(11, 19).replaceAll(':', '-');
  return new File([file], `pasted-${time}.png`, { type: file.type || 'image/png' });
}
