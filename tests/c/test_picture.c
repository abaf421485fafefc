/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures: which samples triangles and lines cover, what hides what, and what no picture can show. */
#include "picture/picture.h"

#include <stdlib.h>

#include "test.h"
#include "uniform.h"

#define WIDTH  64
#define HEIGHT 48
#define PIXELS (WIDTH * HEIGHT)

static const rf_light daylight = {{0, 0, -1}, {80, 120, 200}, {220, 230, 240}, 0};

/* A camera at the origin that looks north, 90 deg from left to right. */
static rf_picture empty_picture(int samples)
{
    rf_picture p = {.width = WIDTH, .height = HEIGHT, .samples = samples, .light = daylight};
    p.camera = (rf_camera){{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {0, 0, 0}, WIDTH / 2.0};
    return p;
}

/* What a picture of triangles, each of its own corners, came to. */
typedef struct shot {
    uint8_t colour[PIXELS][3];
    float distance[PIXELS];
    int32_t id[PIXELS];
    int covered;
} shot;

static const double here[1][3][4] = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static rf_status draw(rf_picture *p, const float (*corner)[3], size_t triangles, const uint8_t colour[4],
                      int32_t id)
{
    int32_t(*at)[3] = malloc(triangles * sizeof *at);
    uint8_t(*colours)[4] = malloc(triangles * sizeof *colours);
    for (size_t i = 0; i < triangles; i++) {
        for (int k = 0; k < 3; k++) at[i][k] = (int32_t)(3 * i) + k;
        memcpy(colours[i], colour, sizeof colours[i]);
    }
    const rf_instances m = {
        3 * triangles, triangles, 1, corner, (const int32_t(*)[3])at, (const uint8_t(*)[4])colours,
        here,          &id};
    const rf_status status = rf_picture_mesh(p, &m);
    free(at);
    free(colours);
    return status;
}

static const uint8_t red[4] = {255, 0, 0, 255}, blue[4] = {0, 0, 255, 255};

static void take(rf_picture *p, shot *s)
{
    rf_picture_finish(p, s->colour, s->distance, s->id);
    s->covered = 0;
    for (int i = 0; i < PIXELS; i++) s->covered += s->id[i] >= 0;
    rf_picture_free(p);
}

static void take_of_triangles(const float (*corner)[3], size_t triangles, int samples, shot *s)
{
    rf_picture p = empty_picture(samples);
    if (rf_picture_begin(&p) == RF_OK) draw(&p, corner, triangles, red, 7);
    take(&p, s);
}

/* A wall across the view, 10 m north, as triangles around random places of it. */
static void triangles_around_a_place_leave_no_gap(void)
{
    static shot s;
    for (int round = 0; round < 200; round++) {
        float corner[12][3];
        const float middle[3] = {10, (float)uniform(-9, 9), (float)uniform(-6, 6)};
        const float edge[5][3] = {{10, -20, -15}, {10, 20, -15}, {10, 20, 15}, {10, -20, 15}, {10, -20, -15}};
        for (int i = 0; i < 4; i++) {
            memcpy(corner[3 * i], middle, sizeof middle);
            memcpy(corner[3 * i + 1], edge[i], sizeof middle);
            memcpy(corner[3 * i + 2], edge[i + 1], sizeof middle);
        }
        take_of_triangles(corner, 4, 1 + round % 2, &s);
        ENSURE(s.covered == PIXELS);
        for (int i = 0; i < PIXELS; i++) ENSURE_NEAR(s.distance[i], 10, 1e-4);
    }
}

/* Drawn one by one, they cover as many samples as all together. */
static void triangles_around_a_place_cover_no_sample_twice(void)
{
    static shot s;
    for (int round = 0; round < 200; round++) {
        float corner[3 * 9][3], ring[10][3];
        const float middle[3] = {10, 0.5f, -0.5f};
        for (int i = 0; i < 9; i++) {
            const double turn = 2 * 3.14159265358979 * (i + uniform(0.2, 0.8)) / 9;
            ring[i][0] = 10;
            ring[i][1] = (float)(6 * cos(turn));
            ring[i][2] = (float)(5 * sin(turn));
        }
        memcpy(ring[9], ring[0], sizeof ring[0]);
        int sum = 0;
        for (int i = 0; i < 9; i++) {
            memcpy(corner[3 * i], middle, sizeof middle);
            memcpy(corner[3 * i + 1], ring[i], sizeof middle);
            memcpy(corner[3 * i + 2], ring[i + 1], sizeof middle);
            take_of_triangles((const float(*)[3])corner[3 * i], 1, 1, &s);
            sum += s.covered;
        }
        take_of_triangles(corner, 9, 1, &s);
        ENSURE(s.covered > 500);
        ENSURE(s.covered == sum);
    }
}

/* All to the right of the middle of the picture, 2 and 4 m ahead, in both orders. */
static void what_is_nearer_hides_what_is_farther(void)
{
    static shot s;
    static const float near[3][3] = {{2, 0, -9}, {2, 30, 0}, {2, 0, 9}},
                       far[3][3] = {{4, -30, 0}, {4, 30, -90}, {4, 30, 90}};
    for (int round = 0; round < 4; round++) {
        rf_picture p = empty_picture(1 + round / 2);
        ENSURE(rf_picture_begin(&p) == RF_OK);
        draw(&p, round % 2 ? near : far, 1, round % 2 ? red : blue, round % 2 ? 1 : 2);
        draw(&p, round % 2 ? far : near, 1, round % 2 ? blue : red, round % 2 ? 2 : 1);
        take(&p, &s);
        const int left = HEIGHT / 2 * WIDTH + WIDTH / 4, right = left + WIDTH / 2;
        ENSURE(s.id[right] == 1 && s.colour[right][0] > 100 && s.colour[right][2] == 0);
        ENSURE(s.id[left] == 2 && s.colour[left][2] > 100 && s.colour[left][0] == 0);
        ENSURE_NEAR(s.distance[right], 2, 1e-6);
        ENSURE_NEAR(s.distance[left], 4, 1e-6);
    }
}

/* The ground, 1 m below, from behind the eye to far ahead, is seen from where it begins below the picture to the horizon. */
static void what_reaches_behind_the_eye_is_cut_off(void)
{
    static shot s;
    static const float ground[6][3] = {{-1e5f, -1e5f, 1}, {1e5f, -1e5f, 1}, {1e5f, 1e5f, 1},
                                       {-1e5f, -1e5f, 1}, {1e5f, 1e5f, 1},  {-1e5f, 1e5f, 1}};
    take_of_triangles(ground, 2, 1, &s);
    ENSURE(s.covered == PIXELS / 2);
    for (int i = 0; i < PIXELS; i++) {
        const double below = i / WIDTH + 0.5 - HEIGHT / 2.0;
        if (below < 0) {
            ENSURE(s.id[i] == -1 && isinf(s.distance[i]));
        } else {
            ENSURE_NEAR(s.distance[i] * below / (WIDTH / 2.0), 1, 1e-4);
        }
    }
    static const float behind[3][3] = {{-1, -9, -9}, {-1, 9, -9}, {-1, 0, 9}};
    take_of_triangles(behind, 1, 1, &s);
    ENSURE(s.covered == 0);
}

static void what_has_no_area_or_no_place_covers_nothing(void)
{
    static shot s;
    const float n = NAN, i = INFINITY;
    const float corner[][3] = {{n, 0, 0}, {5, 1, 0}, {5, 0, 1}, {5, 0, 0},     {5, n, 0},     {5, 0, 1},
                               {5, 0, 0}, {5, 1, 0}, {5, 0, i}, {i, i, i},     {-i, 1, 0},    {5, 0, 1},
                               {5, 0, 0}, {5, 0, 0}, {5, 0, 0}, {5, 0, 0},     {5, 1, 1},     {5, 2, 2},
                               {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {3e38f, 1, 0}, {3e38f, 2, 1}, {3e38f, 3, 0}};
    take_of_triangles(corner, sizeof corner / sizeof corner[0] / 3, 2, &s);
    ENSURE(s.covered == 0);
}

/* Of all sizes, positions and slants; sanitizers watch that no sample outside of the picture is touched. */
static void random_triangles_stay_in_the_picture(void)
{
    static shot s;
    static float corner[3 * 500][3];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 3 * 500; i++) {
            const double size = pow(10, uniform(-3, 13));
            for (int k = 0; k < 3; k++) corner[i][k] = (float)(size * uniform(-1, 1));
        }
        take_of_triangles(corner, 500, 1 + round % 2, &s);
        for (int i = 0; i < PIXELS; i++) ENSURE(s.distance[i] >= RF_PICTURE_NEAR * 0.999);
    }
}

static void corners_that_are_not_there_are_refused(void)
{
    static const float corner[3][3] = {{5, 0, 0}, {5, 1, 0}, {5, 0, 1}};
    static const int32_t wrong[][1][3] = {
        {{0, 1, 3}}, {{-1, 1, 2}}, {{0, INT32_MAX, 2}}, {{INT32_MIN, 1, 2}}};
    const int32_t id = 0;
    rf_picture p = empty_picture(1);
    ENSURE(rf_picture_begin(&p) == RF_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const rf_instances m = {3, 1, 1, corner, wrong[i], &red, here, &id};
        ENSURE(rf_picture_mesh(&p, &m) == RF_BAD_ARGUMENT);
    }
    rf_picture_free(&p);
}

/* Half of it, and where two such triangles lie in a plane no more than that. */
static void what_is_translucent_mixes_once_in_a_plane(void)
{
    static shot s;
    static const uint8_t black[4] = {0, 0, 0, 128}, white[4] = {255, 255, 255, 255};
    static const float wall[3][3] = {{9, -90, -90}, {9, 90, -90}, {9, 0, 90}};
    static const float panes[6][3] = {{8, -30, -30}, {8, 30, -30}, {8, 0, 30},
                                      {8, -20, -30}, {8, 40, -20}, {8, 0, 30}};
    rf_picture p = empty_picture(1);
    ENSURE(rf_picture_begin(&p) == RF_OK);
    draw(&p, wall, 1, white, 1);
    const unsigned plain = p.ink[PIXELS / 2] & 255;
    draw(&p, panes, 2, black, 2);
    take(&p, &s);
    const int middle = PIXELS / 2 + WIDTH / 2;
    ENSURE_NEAR(s.colour[middle][0], plain / 2, 2);
    ENSURE(s.id[middle] == 2);
    p = empty_picture(1);
    ENSURE(rf_picture_begin(&p) == RF_OK);
    draw(&p, wall, 1, white, 1);
    draw(&p, panes, 2, black, -1);
    take(&p, &s);
    ENSURE(s.id[middle] == 1 && s.colour[middle][0] < plain);
}

static void lines_have_their_width_and_are_hidden(void)
{
    static shot s;
    static const double across[1][2][3] = {{{5, -50, 0}, {5, 50, 0}}},
                        through[1][2][3] = {{{-5, 1, 1}, {500, 1, 1}}};
    static const double nowhere[2][2][3] = {{{NAN, 0, 0}, {5, 1, 0}}, {{-5, 0, 0}, {-6, 1, 0}}};
    static const uint8_t twice[2][4] = {{255, 0, 0, 255}, {255, 0, 0, 255}};
    static const float wall[3][3] = {{4, 0, -90}, {4, 90, 0}, {4, 0, 90}};
    for (int samples = 1; samples <= 2; samples++) {
        rf_picture p = empty_picture(samples);
        ENSURE(rf_picture_begin(&p) == RF_OK);
        draw(&p, wall, 1, blue, 3);
        rf_picture_lines(&p, &(rf_lines){2, nowhere, twice, 3});
        rf_picture_lines(&p, &(rf_lines){1, across, &red, 4});
        rf_picture_lines(&p, &(rf_lines){1, through, &red, 1});
        take(&p, &s);
        for (int x = 0; x < WIDTH; x++) {
            int thick = 0;
            for (int y = 0; y < HEIGHT / 2 + 3; y++)
                thick += s.colour[y * WIDTH + x][1] == 0 && s.colour[y * WIDTH + x][0] > 0;
            ENSURE(thick == (x < WIDTH / 2 ? 4 : 0));
        }
        ENSURE(s.id[HEIGHT / 2 * WIDTH] == -1); /* lines have no ids */
    }
}

static void sizes_cameras_and_lights_are_checked(void)
{
    rf_picture p[9];
    for (int i = 0; i < 9; i++) p[i] = empty_picture(1);
    p[0].width = 0;
    p[1].height = RF_PICTURE_SIDE + 1;
    p[2].samples = 3;
    p[3].camera.focal = 0;
    p[4].camera.eye[1] = NAN;
    p[5].camera.axes[2][2] = INFINITY;
    p[6].light.sun[0] = 2;
    p[7].light.haze = -1;
    p[8].camera.focal = NAN;
    for (int i = 0; i < 9; i++) ENSURE(rf_picture_begin(&p[i]) == RF_BAD_ARGUMENT);
}

TEST_SUITE(picture)
{
    RUN(triangles_around_a_place_leave_no_gap);
    RUN(triangles_around_a_place_cover_no_sample_twice);
    RUN(what_is_nearer_hides_what_is_farther);
    RUN(what_reaches_behind_the_eye_is_cut_off);
    RUN(what_has_no_area_or_no_place_covers_nothing);
    RUN(random_triangles_stay_in_the_picture);
    RUN(corners_that_are_not_there_are_refused);
    RUN(what_is_translucent_mixes_once_in_a_plane);
    RUN(lines_have_their_width_and_are_hidden);
    RUN(sizes_cameras_and_lights_are_checked);
}
