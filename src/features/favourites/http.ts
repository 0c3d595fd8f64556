/** Favourites in the API. */
import { del, get, type HttpFace, put } from '#http/operation-routes.ts';
import { addFavourite, listFavourites, removeFavourite } from './operations.ts';

export const http: HttpFace = {
  tag: 'Favourites',
  routes: [
    get('/v1/favourites', listFavourites),
    put('/v1/favourites/*', addFavourite),
    del('/v1/favourites/*', removeFavourite),
  ],
};
