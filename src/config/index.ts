/** To come. */
export {};
