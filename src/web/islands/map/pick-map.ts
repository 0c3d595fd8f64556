/** stub */
export async function pickMap(_box: HTMLElement, _at: {lat:number;lon:number}|undefined, _onPick: (p: {lat:number;lon:number}) => void) { return { show(_p: {lat:number;lon:number}|undefined) {} }; }
