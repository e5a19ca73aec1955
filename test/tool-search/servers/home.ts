import type { ServerSpec } from '../corpus.ts';

export const home: ServerSpec = {
  name: 'home-and-travel',
  spelling: 'camel',
  tools: `
turn_on_light | Switch a light on, with brightness and colour. | entityId; brightness; color
turn_off_light | Switch a light off. | entityId
set_temperature | Set the target temperature of a thermostat. | entityId; temperature
lock_door | Lock or unlock a door. | entityId; locked
open_cover | Open or close blinds, curtains or the garage. | entityId; position
start_vacuum | Send the robot vacuum to clean. | entityId; rooms
get_camera_image | Take a picture with a camera of the house. | entityId
arm_alarm | Arm or disarm the burglar alarm. | mode; code
get_energy_usage | Report how much electricity the house used. | from; to
get_sensor_value | Read a sensor: temperature, humidity, motion, air quality. | entityId
play_music | Play a song, album, artist or playlist on a speaker. | query; device
pause_playback | Pause what is playing. | device
skip_track | Skip to the next track. | device
set_volume | Make a speaker louder or quieter. | device; level
what_is_playing | Tell which track is playing now. | device
add_to_playlist | Add tracks to a playlist. | playlistId; trackIds
get_recommendations | Recommend music similar to given artists or tracks. | seeds
cast_video | Show a video on the television. | device; url
get_current_weather | Tell the weather at a place now. | location
get_weather_forecast | Forecast the weather for the next days. | location; days
get_weather_alerts | Warn of storms, floods or heat at a place. | location
geocode | Turn an address into coordinates. | address
reverse_geocode | Turn coordinates into an address. | latitude; longitude
get_directions | Find the way from one place to another by car, foot, bicycle or transit. | origin; destination; mode
search_nearby | Search for restaurants, shops and other places nearby. | location; query; radius
get_place_details | Get opening hours, phone number, reviews and photos of a place. | placeId
distance_matrix | Measure travel times between many places. | origins; destinations
search_flights | Search for flights between airports. | from; to; date; passengers
get_flight_status | Tell whether a flight is on time. | flightNumber; date
search_hotels | Search for hotel rooms. | city; checkIn; checkOut; guests
book_hotel | Book a hotel room. | offerId; guest
cancel_booking | Cancel a booked trip or stay. | bookingId
search_trains | Search for train connections. | from; to; departure
rent_car | Rent a car. | location; from; to; class
order_taxi | Call a taxi or ride. | pickup; dropoff
convert_currency | Convert an amount of money into another currency. | amount; from; to
check_visa_requirements | Tell whether a traveller needs a visa. | nationality; destination
find_recipe | Find a recipe for given ingredients. | ingredients; diet
order_groceries | Order food to be delivered. | items; address
log_workout | Record a run, a ride or an exercise. | kind; duration; distance
get_sleep_data | Show how long and how well somebody slept. | date
`,
  things: `
scene, scenes | lights and devices set together to a mood
automation, automations | what the house does by itself
room, rooms | a room of the house
device, devices | a thing in the house that can be controlled
smart plug, smart plugs | a socket that can be switched
doorbell event, doorbell events | somebody rang or walked by
timer, timers | a countdown
alarm clock, alarm clocks | a time to be woken up
shopping list item, shopping list items | something to buy
chore, chores | work in the household
meal plan, meal plans | what is eaten on which day
recipe, recipes | how a dish is cooked
plant, plants | a plant with its watering times
pet feeder, pet feeders | a machine that feeds an animal
irrigation zone, irrigation zones | a part of the garden that is watered
playlist, playlists | tracks in an order
podcast subscription, podcast subscriptions | a show one follows
radio station, radio stations | a broadcast that can be played
watchlist entry, watchlist entries | a film to see later
photo album, photo albums | pictures that belong together
trip, trips | a journey with its bookings
itinerary stop, itinerary stops | a place to visit on a journey
packing list, packing lists | what to take along
travel document, travel documents | a passport, visa or ticket
saved place, saved places | a place one wants to find again
loyalty card, loyalty cards | a card of an airline or hotel
flight alert, flight alerts | a watch on the price of a flight
restaurant reservation, restaurant reservations | a table that is booked
parking session, parking sessions | a paid place for a car
vehicle, vehicles | a car, bicycle or scooter
fitness goal, fitness goals | what somebody wants to reach by training
medication, medications | a medicine and when to take it
`,
  actions: [
    {
      name: 'list_{s}',
      description: 'List all {s}.',
      parameters: 'homeId',
    },
    {
      name: 'show_{}',
      description: 'Show a {}, {is}.',
      parameters: 'id',
    },
    {
      name: 'add_{}',
      description: 'Add a {} ({is}).',
      parameters: 'name; settings',
    },
    {
      name: 'change_{}',
      description: 'Change a {}.',
      parameters: 'id; settings',
    },
    {
      name: 'remove_{}',
      description: 'Remove a {}.',
      parameters: 'id',
    },
  ],
};
