/** Words of the scripts of all pages. */
import { message } from '../message.ts';

export const scriptWords = {
  'scriptAccount.copied': message('Copied', 'Words of a script'),
  'scriptAccount.copy': message('Copy', 'Words of a script'),
  'scriptAccount.newPage': message('New page', 'Words of a script'),
  'scriptAccount.throwAway': message('Throw away', 'Words of a script'),
  'scriptArrange.orderSaved': message('Order saved.', 'Words of a script'),
  'scriptArrange.theOrderCouldNotBeSaved': message('The order could not be saved.', 'Words of a script'),
  'scriptCombobox.suggestions': message('Suggestions', 'Words of a script'),
  'scriptCommentsPanel.close': message('Close', 'Words of a script'),
  'scriptCommentsPanel.comment': message('Comment', 'Words of a script'),
  'scriptCommentsPanel.commentAdded': message('Comment added.', 'Words of a script'),
  'scriptCommentsPanel.commentOnTheseWords': message('Comment on these words', 'Words of a script'),
  'scriptCommentsPanel.comments': message('Comments', 'Words of a script'),
  'scriptCommentsPanel.saved': message('Saved.', 'Words of a script'),
  'scriptCommentsPanel.theCommentsCouldNotBeLoaded': message(
    'The comments could not be loaded. Try again.',
    'Words of a script',
  ),
  'scriptDiagrams.diagramFollowedByItsText': message('Diagram, followed by its text', 'Words of a script'),
  'scriptDiagrams.textOfTheDiagram': message('Text of the diagram', 'Words of a script'),
  'scriptMap.mapOfAllPlaces': message('Map of all places', 'Label of a field'),
  'scriptMap.mapOfTheResults': message('Map of the results', 'Label of a field'),
  'scriptMapView.arrowKeysMoveTheMapPlusAnd': message(
    'Arrow keys move the map; plus and minus zoom.',
    'Words of a script',
  ),
  'scriptMapView.zoom': message('Zoom', 'Words of a script'),
  'scriptMapView.zoomIn': message('Zoom in', 'Title of the page'),
  'scriptMapView.zoomOut': message('Zoom out', 'Title of the page'),
  'scriptPasskey.noPasskeyWasUsedTheSignInWas': message(
    'No passkey was used. The sign-in was cancelled or took too long, or this device has no passkey for this wiki.',
    'Words of a script',
  ),
  'scriptPasskey.thatDidNotWorkTryAgainOrSign': message(
    'That did not work. Try again, or sign in another way.',
    'Words of a script',
  ),
  'scriptPasskey.thePasskeysOfThisWikiBelong': message(
    'The passkeys of this wiki belong to a different address than the one that you opened.',
    'Words of a script',
  ),
  'scriptPasskey.thisDeviceAlreadyHasOneOf': message(
    'This device already has one of your passkeys.',
    'Words of a script',
  ),
  'scriptPickMap.mapForChoosingThePlaceEnter': message(
    'Map for choosing the place. Enter chooses its centre.',
    'Label of a field',
  ),
  'scriptPlaceLayer.close': message('Close', 'Words of a script'),
  'scriptSignUp.pleaseWaitWhileYourBrowser': message(
    'Please wait while your browser does a short calculation …',
    'Words of a script',
  ),
  'scriptSignUp.signingUpNeedsASecure': message(
    'Signing up needs a secure connection. Open this page with https.',
    'Words of a script',
  ),
  'scriptSignUp.theCalculationTookTooLong': message(
    'The calculation took too long. Reload the page to try again.',
    'Words of a script',
  ),
  'scriptTreeWidth.widthOfTheTree': message('Width of the tree', 'Words of a script'),
  'scriptWorld.theBaseMapCouldNotBeLoaded': message('The base map could not be loaded.', 'Words of a script'),
  'scriptAccount.throwAwayTitle': message('Throw away: {title}', 'Name for screen readers'),
  'scriptImport.pagesWritten': message('{done} of {total} pages have been written.', 'Progress of an import'),
  'scriptMap.places': message(
    '{count, plural, =0 {No places in this part of the map.} one {# place in this part of the map.} other {# places in this part of the map.}}',
    'Beside the map',
  ),
  'scriptMap.placesFirst': message(
    '{count, plural, one {# place} other {# places}} in this part of the map, the first {listed} of them listed.',
    'Beside the map',
  ),
  'scriptMap.mapOf': message('Map of {title}', 'Name for screen readers'),
  'scriptPickMap.placeChosen': message('Place chosen: {place}', 'Announced to screen readers'),
  'scriptPlaceLayer.andMore': message('{names} and more', 'Places behind a number on the map'),
  'scriptPlaceLayer.placesNamed': message(
    '{count, plural, one {# place} other {# places}}: {names}',
    'Places behind a number on the map',
  ),
  'scriptPlaceLayer.zoomedIn': message(
    '{count, plural, one {Zoomed in on # place.} other {Zoomed in on # places.}}',
    'Announced to screen readers',
  ),
  'scriptPlaceLayer.placesHere': message(
    '{count, plural, one {# place here} other {# places here}}',
    'Name of a list',
  ),
  'scriptSorting.sortBy': message('Sort by {name}', 'Button in the head of a column'),
  'scriptParentPicker.below': message('Below {title}', 'Where a page will lie'),
  'scriptSearchBox.searchFor': message('Search for “{text}”', 'The last of the suggestions'),
  'scriptAccess.group': message('group', 'Beside a name that was found'),
  'scriptAccess.member': message('member', 'Beside a name that was found'),
  'scriptCombobox.found': message(
    '{count, plural, one {# suggestion} other {# suggestions}}',
    'Announced to screen readers',
  ),
  'scriptPlaceLayer.more': message('and {count} more', 'The end of a list'),
  'scriptTileGround.tiles': message('Tiles: {host}', 'Where the map comes from'),
};
