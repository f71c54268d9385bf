// The colours of the suits as the player likes them, wherever cards are shown.

import { applyOptions, readOptions } from "./options.js";

applyOptions(readOptions());
