/** Where an exhibit is shown: a page scrolls, and a slide should not, least of all one with several exhibits. */
export type Room = 'page' | 'slide' | 'crowded slide'
