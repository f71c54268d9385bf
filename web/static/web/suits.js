// On pages that show cards without a game: the colours of the suits as the player likes them.

import { applyOptions, readOptions } from "./options.js";

applyOptions(readOptions());
