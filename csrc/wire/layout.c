/* SPDX-License-Identifier: BSD-3-Clause */
#include "wire/layout.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "packets are written as the processor stores numbers, which must be little-endian"
#endif

_Static_assert(sizeof(double) == 8 && sizeof(float) == 4, "IEEE 754");

const rf_wire_values rf_wire_absent[RF_WIRE_WIDTH];

const rf_wire_structure *rf_wire_structure_find(const char *name)
{
    for (int i = 0; i < rf_wire_structure_count; i++) {
        if (strcmp(rf_wire_structures[i].name, name) == 0) return &rf_wire_structures[i];
    }
    return NULL;
}

size_t rf_wire_number_size(rf_wire_number number)
{
#define SIZE(name, type, python) [RF_WIRE_##name] = sizeof(type),
    static const unsigned char sizes[] = {RF_WIRE_NUMBERS(SIZE)};
#undef SIZE
    return sizes[number];
}

size_t rf_wire_structure_size(const rf_wire_structure *structure)
{
    size_t size = 0;
    for (int i = 0; i < structure->field_count; i++) {
        size += rf_wire_number_size(structure->fields[i].number) * (size_t)structure->fields[i].count;
    }
    return size;
}
