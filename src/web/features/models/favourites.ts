import { listed } from '#shared/text/listing.ts';
import { loadModels, useCatalog } from '../../state/catalog/catalog.ts';
import { api } from '../../state/session/api.ts';
import { LatestWish } from '../../ui/hooks/latest-wish.ts';
import { showFailure } from '../../ui/notices/notices.ts';

type Switched = Readonly<Record<string, boolean>>;

/** Only what was switched is written: what another tab did meanwhile stays. */
const wishes = new LatestWish<Switched>({}, async (switched) => {
  const settings = await api.settings.read();
  const favouriteModels = listed(settings.favouriteModels ?? [], switched);
  await api.settings.write({ ...settings, favouriteModels });
  if (wishes.wanted === switched) wishes.wanted = {};
});

/** Puts a model among the favourites of this person, or takes it out; shown at once. */
export function markFavourite(model: string, isFavourite: boolean): void {
  const { favouriteModels } = useCatalog.getState();
  useCatalog.setState({ favouriteModels: listed(favouriteModels, { [model]: isFavourite }) });
  wishes
    .wish({ ...wishes.wanted, [model]: isFavourite })
    .catch(showFailure)
    .finally(() => void loadModels().catch(showFailure));
}
